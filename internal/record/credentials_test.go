package record

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// everything returns the contents of all files below a folder, decompressed.
func everything(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && strings.HasSuffix(path, ".zst") && len(data) > 0 {
			d, _ := zstd.NewReader(nil)
			data, err = d.DecodeAll(data, nil)
		}
		all.WriteString(path + "\n")
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestCredentials sends credentials of all shapes and searches the disk for them. In the table, @
// is the credential.
func TestCredentials(t *testing.T) {
	headers := []string{
		"Authorization: Bearer @", "Authorization: Basic @", "Authorization: @", "Proxy-Authorization: Basic @", "X-Api-Key: @", "Api-Key: @",
		"X-Goog-Api-Key: @", "Cookie: session=@; other=1", "X-Auth-Token: @", "X-Amz-Security-Token: @", "Ocp-Apim-Subscription-Key: @",
		"Cf-Aig-Authorization: Bearer @", "Helicone-Auth: Bearer @", "X-Some-New-Header: @",
	}
	queries := []string{"key=@", "api_key=@", "api-key=@", "access_token=@", "token=@", "sig=@", "X-Amz-Signature=@", "X-Amz-Credential=@", "code=@", "a=1&password=@&b=2",
		"pwd=@", "hmac=@", "jwt=@"}
	bodies := []string{
		`"api_key":"@"`, `"apiKey":"@"`, `"mcp_servers":[{"type":"url","url":"https://m.example/sse","authorization_token":"@"}]`,
		`"mcp_servers":[{"url":"https://m.example/sse?api_key=@"}]`, `"mcp_servers":[{"url":"https://user:@@m.example/sse"}]`,
		`"tools":[{"type":"mcp","server_label":"x","headers":{"Authorization":"Bearer @","X-Any":"@"}}]`, `"tools":[{"type":"mcp","authorization":"@"}]`,
		`"extra_headers":{"x-key":"@"}`, `"metadata":{"access_token":"@"}`, `"metadata":{"note":"Bearer @"}`, `"vertex_credentials":{"private_key":"@","client_email":"a@b.example"}`,
		`"aws_secret_access_key":"@"`, `"aws_access_key_id":"@"`, `"client_secret":"@"`, `"env":{"GITHUB_TOKEN":"@"}`, `"passwords":["@"],"password":"@"`,
		`"credentials":["@"]`, `"connection_string":"@"`, `"extra_body":{"dsn":"@"}`, `"GOOGLE_CREDENTIALS_JSON":"@"`,
		`"mcp_servers":[{"command":"npx","args":["serve","--api-key","@","-v"]}]`, `"mcp_servers":[{"command":"npx","args":["--token=@"]}]`,
		`"metadata":{"note":"Server=db;Password=@;"}`, `"metadata":{"note":"//registry.npmjs.org/:_authToken=@"}`, `"metadata":{"note":"Cookie: sid=@; a=b"}`,
	}
	streams := []string{
		`{"type":"response.created","response":{"tools":[{"type":"mcp","headers":{"Authorization":"Bearer @"}}]}}`,
		`{"type":"response.created","response":{"tools":[{"type":"mcp","authorization":"@","server_url":"https://x.example/?token=@"}]}}`,
		`{"type":"error","error":{"message":"Incorrect API key provided: @"}}`,
	}
	n := 0
	var secrets []string
	secret := func(text string) string {
		n++
		s := fmt.Sprintf("S3cr3t%04dValueOfAKey", n)
		secrets = append(secrets, s)
		return strings.ReplaceAll(text, "@@", s+"@") + "\x00" + s
	}
	fill := func(text string) string {
		text, s, _ := strings.Cut(secret(text), "\x00")
		if strings.Contains(text, s+"@m.example") {
			return text
		}
		return strings.ReplaceAll(strings.ReplaceAll(text, "a@b", "a%b"), "@", s)
	}
	var stream strings.Builder
	for _, s := range streams {
		stream.WriteString("data: " + strings.ReplaceAll(s, "@", "%s") + "\n\n")
	}
	base, folder, done := recorder(t, func(w http.ResponseWriter, r *http.Request) {
		key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Set-Cookie", "session="+key)
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"stream"`):
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, stream.String(), key, key, key, key)
		case strings.Contains(string(body), `"refuse"`):
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"bad key %s"}}`, key)
		default:
			fmt.Fprintf(w, `{"api_key":%q,"choices":[]}`, key)
		}
	})
	const body = `{"messages":[{"role":"user","content":"kept as it is: sk-ant-in-the-text-0000000"}]%s}`
	count := 0
	send := func(query, member string, header ...string) {
		count++
		if member != "" {
			member = "," + member
		}
		post(t, base+"/chat/completions"+query, fmt.Sprintf(body, member), header...)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(fill(h), ": ")
		send("", "", name, value)
	}
	for _, q := range queries {
		send("?"+fill(q), "")
	}
	for _, b := range bodies {
		send("", fill(b))
	}
	for _, b := range []string{`"stream":true`, `"refuse":true`, `"plain":true`} {
		send("", b, "Authorization", fill("Bearer @"))
	}
	post(t, base+"/oauth/token", fill(`{"grant_type":"x","code":"@"}`))
	_, lines := done()
	disk := everything(t, folder)
	for i, s := range secrets {
		if at := strings.Index(disk, s); at >= 0 {
			t.Errorf("secret %d is on the disk: %s", i, disk[max(0, at-150):min(len(disk), at+60)])
		}
	}
	if got := strings.Count(disk, "sk-ant-in-the-text-0000000"); got != count {
		t.Errorf("the text of the messages is there %d times in %d calls", got, count)
	}
	if len(secrets) < 44 || !strings.Contains(lines[0], "<credential 1>") {
		t.Errorf("%d shapes, %s", len(secrets), lines[0])
	}
}

// TestCountedOnce counts and numbers a credential in an address once, also if it is escaped.
func TestCountedOnce(t *testing.T) {
	var s scrubber
	u, err := url.Parse("https://h/v1?to=https%3A%2F%2Fx%2F%3Ftoken%3Dabcdefgh&key=other")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.address(u); got != "https://h/v1?to=<credential 1>&key=<credential 2>" || s.counted() != 2 {
		t.Error(got)
	}
}

// TestUpstreamPassword sends the password in the address of a provider, and does not write it.
func TestUpstreamPassword(t *testing.T) {
	stub := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "S3cr3tPassword" {
			t.Errorf("the password is %q", password)
		}
	}))
	defer stub.Close()
	to, _ := url.Parse(strings.Replace(stub.URL, "://", "://ada:S3cr3tPassword@", 1))
	folder := filepath.Join(t.TempDir(), "r")
	l, err := Create(folder, Header{Command: strings.Fields("curl -H x --token=S3cr3tOne http://ada:S3cr3tTwo@h/ sk-S3cr3tThreeThree OPENAI_API_KEY=S3cr3tFour")})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Listen(l, []Upstream{{"x", to}})
	if err != nil {
		t.Fatal(err)
	}
	post(t, p.Base("x")+"/v1/messages", `{"messages":[]}`)
	p.Close(t.Context())
	l.Close(nil)
	if disk := everything(t, folder); strings.Contains(disk, "S3cr3t") {
		t.Error(disk)
	}
}
