package files

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// IsAddress reports whether a name begins with http:// or https://.
func IsAddress(name string) bool {
	for _, scheme := range []string{"http://", "https://"} {
		if len(name) >= len(scheme) && strings.EqualFold(name[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// address is the URL of a name that begins with http:// or https://.
func address(name string) (*url.URL, bool) {
	if !IsAddress(name) {
		return nil, false
	}
	u, err := url.Parse(name)
	if err != nil || u.Host == "" {
		return &url.URL{Opaque: name}, true // which get refuses
	}
	return u, true
}

// get reads the file at an address.
func (s *Set) get(ctx context.Context, u *url.URL, want Kind) ([]byte, error) {
	name := u.Redacted()
	if u.Host == "" {
		return nil, fmt.Errorf("%s is not a valid address: write http://HOST/PATH or https://HOST/PATH", name)
	}
	client := s.client()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, unanswered(ctx, name, client, err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: the server answers %s: check the address", name, answer.Status)
	case answer.ContentLength > bytesMax:
		return nil, tooLong(name)
	}
	raw, err := limited(name, answer.Body)
	if err != nil {
		return nil, unanswered(ctx, name, client, err)
	}
	if KindOf(raw) == Page {
		return nil, fmt.Errorf("%s is a web page, not a %s: name the address of the file itself, which sites that show files call raw", name, want)
	}
	return raw, nil
}

func (s *Set) client() *http.Client {
	if s.Client == nil {
		return &http.Client{Timeout: answerTime}
	}
	return s.Client
}

// unanswered says why nothing, or not all, has come.
func unanswered(ctx context.Context, name string, client *http.Client, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if t, ok := errors.AsType[net.Error](err); ok && t.Timeout() {
		return fmt.Errorf("%s: not all of it has come within %v: try again, or fetch it to a file and name that", name, client.Timeout)
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // without the address, which is said already
	}
	return fmt.Errorf("%s: %w: check the address, and that its server runs", name, err)
}
