package exchange

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// parseBase checks a BaseURL. Its errors do not repeat it: it may hold a password.
func parseBase(raw string) (*url.URL, error) {
	if raw == "" {
		return nil, errors.New("BaseURL is empty")
	}
	scheme, _, found := strings.Cut(raw, "://")
	if scheme = strings.ToLower(scheme); !found || scheme != "http" && scheme != "https" {
		return nil, errors.New("BaseURL must start with http:// or https://")
	}
	base, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, errors.New("BaseURL is not a valid URL")
	case base.Hostname() == "":
		return nil, errors.New("BaseURL has no host")
	case base.User != nil:
		return nil, errors.New("BaseURL must not hold user information: use Authorize")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("BaseURL must not have a query or a fragment")
	}
	return base, nil
}

// isLoopback reports whether a host name can only mean this machine. Names below
// localhost are not among them: RFC 6761 wishes they were, but a resolver may
// ask the network for them.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
