package redact

import (
	"strings"
	"testing"
)

// TestProviderKeys finds keys of model providers that the scanner does not know, or knows in one
// length only.
func TestProviderKeys(t *testing.T) {
	body := "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"
	for _, prefix := range []string{"sk-", "sk-ant-", "sk-ant-api03-", "sk-proj-", "sk-or-v1-", "xai-", "gsk_", "hf_", "r8_"} {
		key := prefix + body
		for _, text := range []string{key, "export KEY=" + key + "\n", `{"a":"` + key + `"}`, "(" + key + ")."} {
			if got := redactor(t, Options{}).Text(text); strings.Contains(got, body) {
				t.Errorf("%q is still there: %q", key, got)
			}
		}
	}
	for _, text := range []string{"task-force-one-two-three-four", "sk-learn-contrib-something-else", "risk-2024-assessment-of-plans", ".sk-circle-fade-animation-12"} {
		if got := redactor(t, Options{}).Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestAssignments finds the values of variables and members that are named like credentials, in
// texts that are not JSON.
func TestAssignments(t *testing.T) {
	for text, want := range map[string]string{
		"export DB_PASSWORD=correcthorse9\n":    "export DB_PASSWORD=[redacted credential 1]\n",
		"PGPASSWORD='xkcd936' psql":             "PGPASSWORD='[redacted credential 1]' psql",
		"password: Tr0ub4dor&3x":                "password: [redacted credential 1]",
		`"client_secret": "q8Zt7Lm2Xw", more`:   `"client_secret": "[redacted credential 1]", more`,
		"mysql --password=S3cretPw99 db":        "mysql --password=[redacted credential 1] db",
		"PASSWORD=" + githubPAT:                 "PASSWORD=[redacted github-pat 1]",
		"password = os.environ['DB_1']":         "",
		"PASSWORD=$DB1 and PASSWORD=${DB1}":     "",
		"password: string; secret: int32":       "",
		"password := hash(p1)":                  "",
		"the password is 8 characters or more.": "",
	} {
		if want == "" {
			want = text
		}
		if got := redactor(t, Options{}).Text(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
