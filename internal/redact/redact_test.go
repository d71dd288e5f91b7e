package redact

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// Invented tokens of well-known shapes. They are cut so that scanners do not find them here.
var (
	awsKey    = "AKIA" + "QYLPMN5HNZKX3WRT"
	githubPAT = "ghp_" + "x9Kq2LmZ7vRtY4wBnC8sDfGh1JpQa3Ue5ToX"
	slack     = "xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"
	stripe    = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
)

func redactor(t testing.TB, o Options) *Redactor {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestText(t *testing.T) {
	jwt := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"1234567890","name":"A"}`)) + ".dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXkx"
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA04up8hoqzS1/abcd\n", 8) + "-----END RSA " + "PRIVATE KEY-----"
	for text, want := range map[string]string{
		"key " + awsKey + " end":                     "key [redacted aws-access-token 1] end",
		awsKey + " and " + awsKey:                    "[redacted aws-access-token 1] and [redacted aws-access-token 1]",
		"token=" + githubPAT:                         "token=[redacted github-pat 1]",
		`{"a":"` + githubPAT + `"}`:                  `{"a":"[redacted github-pat 1]"}`,
		`{"password":"hunter2"}`:                     `{"password":"[redacted credential 1]"}`,
		`{"password":"${PASSWORD}","ok":true}`:       `{"password":"${PASSWORD}","ok":true}`,
		`{"token_count":123456}`:                     `{"token_count":123456}`,
		"a " + jwt:                                   "a [redacted jwt 1]",
		"Authorization: Basic dXNlcjpodW50ZXIy":      "Authorization: Basic [redacted basic 1]",
		"basic information about it":                 "basic information about it",
		"postgres://app:s3cretpw@db.example/x":       "postgres://app:[redacted url-password 1]@db.example/x",
		"mail jo@example.org now":                    "mail [redacted email 1] now",
		"at 192.168.3.17:8080, ::1, 127.0.0.1":       "at [redacted ip 1]:8080, ::1, 127.0.0.1",
		"2001:db8::7 std::collections a::b 10:20:30": "[redacted ip 1] std::collections a::b 10:20:30",
		"/home/alice/x and C:\\Users\\bob\\y":        "/home/[redacted home-folder 1]/x and C:\\Users\\[redacted home-folder 2]\\y",
		"~/.claude/projects/-home-alice-app":         "~/.claude/projects/-home-[redacted home-folder 1]-app",
		"x " + strings.ReplaceAll(pem, "\n", `\n`):   "x [redacted private-key 1]",
		pem: "[redacted private-key 1]",
		`{"args":"{\"cmd\":\"curl -H ` + stripe + `\"}"}`:                          `{"args":"{\"cmd\":\"curl -H [redacted stripe-access-token 1]\"}"}`,
		"b64 " + base64.StdEncoding.EncodeToString([]byte("export K="+awsKey)):     "b64 [redacted aws-access-token 1]",
		"twice " + b64(b64("export K="+slack+" ")):                                 "twice [redacted slack-bot-token 1]",
		strings.Replace(githubPAT, "_", `\u005f`, 1):                               "[redacted github-pat 1]",
		"https://x/?k=" + strings.Replace(githubPAT, "_", `%5F`, 1) + "&b=1":       "https://x/?k=[redacted github-pat 1]&b=1",
		"sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 end": "sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 end",
	} {
		r := redactor(t, Options{})
		if got := r.Text(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
		if again := redactor(t, Options{}).Text(want); again != want {
			t.Errorf("%s: is redacted again: %s", want, again)
		}
	}
}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// A text that shows a secret does not have it in its other parts, either.
func TestOneText(t *testing.T) {
	got := redactor(t, Options{}).Text(`{"password":"kV7-pond9x1","text":"x kV7-pond9x1"}`)
	if want := `{"password":"[redacted credential 1]","text":"x [redacted credential 1]"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// A secret with a NUL is replaced as a whole.
func TestNUL(t *testing.T) {
	r := redactor(t, Options{})
	got := r.JSON(`{"password":"door\u0000Zk3vQ81mL","texts":["a door","x door\u0000Zk3vQ81mL"]}`, Shape{})
	if want := `{"password":"[redacted credential 1]","texts":["a door","x [redacted credential 1]"]}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestEverywhere replaces a secret that one text shows in all others.
func TestEverywhere(t *testing.T) {
	r := redactor(t, Options{})
	const value = "Zk3vQ81mLw0pYt6x"
	r.JSON(`{"api_key":"`+value+`"}`, Shape{})
	if got, want := r.JSON(`["echo `+value+`x"]`, Shape{}), `["echo [redacted generic-api-key 1]x"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := r.Report().String(), "1 redacted, 1 kind"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOptions(t *testing.T) {
	r := redactor(t, Options{Patterns: []string{`\bT-\d+\b`, `pin (\d{4})`}, Names: []string{"Ada Lovelace", "Zoë"}, Allow: []string{`T-1`}, Off: []string{"email"}})
	got := r.Text("T-1 T-22 pin 1234 ADA LOVELACE Adam zoë jo@example.org 1234")
	if want := "T-1 [redacted pattern-1 1] pin [redacted pattern-2 1] [redacted name 1] Adam [redacted name 2] jo@example.org 1234"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	for _, o := range []Options{{Patterns: []string{"("}}, {Patterns: []string{"a*"}}, {Off: []string{"emial"}}} {
		if _, err := New(o); err == nil {
			t.Errorf("%v is accepted", o)
		}
	}
}

// TestBinary leaves out what is not text.
func TestBinary(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01\x02\x03", 20)
	r := redactor(t, Options{})
	got := r.JSON(`{"source":{"data":"`+b64(png)+`"},"url":"data:image/png;base64,`+b64(png)+`","signature":"`+b64(strings.Repeat("\xf0\x01", 200))+`"}`, Shape{})
	want := `{"source":{"data":"[image/png of 120 characters left out]"},"url":"data:image/png;base64,[image/png of 120 characters left out]","signature":"[data of 536 characters left out]"}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got, want := r.Report().String(), "0 redacted; 1 image and 1 other value that cannot be scanned left out"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRules compiles all rules.
func TestRules(t *testing.T) {
	rules := loadRules()
	if len(rules) < 200 {
		t.Fatalf("%d rules", len(rules))
	}
	wide := 0
	for _, r := range rules {
		if m := r.compiled(); m.wide {
			wide++
		}
		if len(r.keywords) == 0 {
			t.Errorf("%s has no keywords", r.kind)
		}
	}
	t.Logf("%d rules, %d of which search whole texts", len(rules), wide)
}

func FuzzText(f *testing.F) {
	f.Add(`{"a":"b","api_key":"x9Kq2LmZ7vRtY4wBnC8sDfGh1JpQa"}`)
	f.Add("data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= \\u0041 %41 a@b.cd 1.2.3.4")
	f.Add(awsKey + b64(awsKey) + " /home/x/")
	f.Fuzz(func(t *testing.T, text string) {
		r, again := redactor(t, Options{}), redactor(t, Options{})
		got := r.Text(text)
		if got != again.Text(text) {
			t.Error("two runs differ")
		}
		if regexp.MustCompile(`AKIA[A-Z2-7]{16}\b`).MatchString(got) && strings.Contains(got, awsKey) {
			t.Errorf("%q has a key", got)
		}
		if json.Valid([]byte(text)) && !json.Valid([]byte(r.JSON(text, Shape{}))) {
			t.Errorf("%q is not JSON any more", text)
		}
	})
}

// TestNames has names that are credentials everywhere, only in settings, and only in addresses.
func TestNames(t *testing.T) {
	for name, want := range map[string][3]bool{
		"DB_PASSWORD": {true, true, true}, "x-api-key": {true, true, true}, "Access Token": {true, true, true}, "client.secret": {true, true, true},
		"credentials": {true, true, true}, "passwords": {false, true, true}, "GITHUB_TOKEN": {false, true, true}, "auth": {false, true, true}, "sas": {false, true, true},
		"jwt": {false, true, true}, "code": {false, false, true}, "X-Amz-Signature": {false, false, true}, "eos_token": {}, "next_page_token": {}, "max_tokens": {}, "auth_tokens": {false, true, true},
		"keyboard": {}, "author": {}, "PWD": {false, false, true}, "hmac": {false, false, true}, "dsn": {false, true, true}, "connectionString": {false, true, true},
		"GOOGLE_CREDENTIALS_JSON": {false, true, true},
	} {
		if got := [3]bool{IsCredential(name), IsSetting(name), IsParam(name)}; got != want {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
}
