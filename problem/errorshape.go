package problem

// takeErrorMessage takes message and code from the error objects that services
// used before, or beside, problem details:
//
//	{"error": "message"}
//	{"error": "code", "error_description": "message"}
//	{"error": {"code": "code", "message": "message"}}
//	{"code": "code", "message": "message"}, {"detail": "message"}
//
// Numbers are codes too (JSON-RPC). Everything else is left alone.
func (p *Problem) takeErrorMessage(object []byte) {
	top := texts(object, "error", "error_description", "code", "message", "detail")
	switch {
	case top["error"] != "" && top["error_description"] != "":
		p.takeError(top["error"], top["error_description"])
	case top["error"] != "":
		p.takeError(top["code"], first(top["message"], top["detail"], top["error"]))
	default:
		inner := texts(errorObject(object), "code", "message", "detail")
		p.takeError(first(inner["code"], top["code"]), first(inner["message"], inner["detail"], top["message"], top["detail"]))
	}
}

func (p *Problem) takeError(code, text string) {
	if code != "" {
		p.Code = code
	}
	p.takeMessage(text)
}

// texts returns the named members of an object that are texts, or numbers for
// a code. Of a name that is given twice the last one counts.
func texts(object []byte, names ...string) map[string]string {
	found := make(map[string]string)
	if object == nil {
		return found
	}
	for name, value := range members(object) {
		for _, wanted := range names {
			if name == wanted {
				found[name] = text(name, value)
			}
		}
	}
	return found
}

func text(name string, value []byte) string {
	switch {
	case value[0] == '"':
		return unquote(value)
	case name == "code" && (value[0] == '-' || value[0] >= '0' && value[0] <= '9'):
		return string(value)
	}
	return ""
}

// errorObject returns the member error if it is an object, or nil.
func errorObject(object []byte) (inner []byte) {
	for name, value := range members(object) {
		if name == "error" {
			inner = nil
			if value[0] == '{' {
				inner = value
			}
		}
	}
	return inner
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
