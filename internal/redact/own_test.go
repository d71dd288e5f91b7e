package redact

import (
	"cmp"
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

// TestServiceTokens finds tokens of services that the scanner does not know.
func TestServiceTokens(t *testing.T) {
	word, number := "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5oQ7sU9wY1aC3eG5iK7m", strings.Repeat("0f1e2d3c4b5a6978", 5)
	for _, token := range []string{
		"tvly-dev-" + word[:32], "nvapi-" + word + word[:10], "pcsk_" + word[:6] + "_" + word, "pplx-" + word[:48], "lsv2_pt_" + number[:32] + "_" + number[:10],
		"fw_" + word[:24], "e2b_" + number[:40], "bb_live_" + word[:27], "fc-" + number[:32], "sbp_" + number[:40], "sb_secret_" + word[:31],
		"vercel_blob_rw_" + word[:16] + "_" + word[:30], "nfp_" + word[:36], "rnd_" + word[:28], "ntn_" + word[:46], "figd_" + word[:40], "phx_" + word[:43],
		"dckr_pat_" + word[:27], "sntryu_" + number[:64], "ATBB" + word[:28], "NRAK-" + strings.ToUpper(word[:27]), "whsec_" + word[:32], "key-" + number[:32],
		"re_" + word[:8] + "_" + word[:24], "access-production-0f1e2d3c-4b5a-6978-0f1e-2d3c4b5a6978", "pat" + word[:14] + "." + number[:64],
		"8504296002:AA" + word[:33], "https://discord.com/api/webhooks/123456789012345678/" + word + word[:13],
	} {
		for _, text := range []string{token, "export T=" + token + "\n", `{"a":"` + token + `"}`, "(" + token + ")."} {
			if got := redactor(t, Options{}).Text(text); strings.Contains(got, token[len(token)-20:]) {
				t.Errorf("%q is still there: %q", token, got)
			}
		}
	}
	for _, text := range []string{"fw_download_mode_set_by_user_1", "key-value-store-0f1e", "path.to.thing1", "re_compile_1_of_the_pattern_2", "fc-cache 2.15", "10:30:AAA"} {
		if got := redactor(t, Options{}).Text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestTransport finds credentials in headers and addresses that a text quotes, and in files of
// programs.
func TestTransport(t *testing.T) {
	becomes(t, map[string]string{
		"> Cookie: sessionid=aOFbDTHoEL0iX6; lang=de\n> Accept: */*":      "> Cookie: [redacted credential 1]\n> Accept: */*",
		"curl -H 'Set-Cookie: sid=Qa6oDF6E9M; HttpOnly' x":                "curl -H 'Set-Cookie: [redacted credential 1]' x",
		"GET https://x.example/c?sv=2022&sig=hpS3cIUcZhLIMsAK%3D&x=1":     "GET https://x.example/c?sv=2022&sig=[redacted credential 1]&x=1",
		"https://m.example/sse?access_token=Zk3vQ81mLw":                   "https://m.example/sse?access_token=[redacted credential 1]",
		"machine h.example login ada password Zk3vQ81mLw":                 "machine h.example login ada password [redacted credential 1]",
		"//registry.npmjs.org/:_authToken=Zk3vQ81mLwPd":                   "//registry.npmjs.org/:_authToken=[redacted generic-api-key 1]",
		"root:$6$ksBIvmfuC84187MY$dPLsJ7DOsv2blQBfOxKzv.8/Q1:19000:0":     "root:[redacted password-hash 1]:19000:0",
		"SECRET_KEY = ')!nmub0(_q@@(#0f^p4r0+h050'":                       "SECRET_KEY = '[redacted credential 1]'",
		"the cookie: a small biscuit=2 of them":                           "",
		"https://x.example/list?page_token=next&sort_key=name&tab=code":   "",
		"https://x.example/list?key=2026-11-29&token={TOKEN_1}&sig=12345": "",
		`password: "must have 8 characters"`:                              "",
		"costs $5$ and $6 for 20":                                         "",
	})
}

// TestAssignments finds the values of variables and members that are named like credentials, in
// texts that are not JSON.
func TestAssignments(t *testing.T) {
	becomes(t, map[string]string{
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
	})
}

// TestArguments finds the values of flags, in commands and in lists of arguments.
func TestArguments(t *testing.T) {
	becomes(t, map[string]string{
		"mysql -u root -pS3cret99 shop":                         "mysql -u root -p[redacted credential 1] shop",
		"mysqldump -h db -p'horse staple' shop > x.sql":         "mysqldump -h db -p'[redacted credential 1]' shop > x.sql",
		"sshpass -p tr0ubador ssh a@b":                          "sshpass -p [redacted credential 1] ssh a@b",
		"redis-cli -h cache -a mice-and-men ping":               "redis-cli -h cache -a [redacted credential 1] ping",
		"docker login -u ada -p correcthorse":                   "docker login -u ada -p [redacted credential 1]",
		"deploy --password corr3ct-horse --dry-run":             "deploy --password [redacted credential 1] --dry-run",
		"fetch --api-key 'Zk3vQ81mLw' --token pond7yellow":      "fetch --api-key '[redacted credential 1]' --token [redacted credential 2]",
		`run(["fetch", "--api-key", "pond7yellow"])`:            `run(["fetch", "--api-key", "[redacted credential 1]"])`,
		`{"args":["fetch","--api-key","pondyellow","x"]}`:       `{"args":["fetch","--api-key","[redacted credential 1]","x"]}`,
		`["mysql","-u","root","-pS3cret99"]`:                    `["mysql","-u","root","-p[redacted credential 1]"]`,
		`["agent","--max-tokens","4096","--token","--verbose"]`: "",
		`["fetch","--token","$TOKEN"]`:                          "",
		`["fetch","--token","--verbose"]`:                       "",
		"mysql -p$DB_PASSWORD -u root":                          "",
		"docker run --name mysql -p3306:3306 mysql:8":           "",
		"mysql -p -u root; mkdir -p a1/b2":                      "",
		"  --password string   the password of the user":        "",
		"set --token TOKEN, or --token $TOKEN1":                 "",
	})
}

// TestPrivateKeys finds short private keys, and those whose end is missing.
func TestPrivateKeys(t *testing.T) {
	begin, end := "-----BEGIN EC "+"PRIVATE KEY-----\n", "\n-----END EC "+"PRIVATE KEY-----"
	becomes(t, map[string]string{
		begin + "MHcCAQEEIIr" + end + "\nok":                           "[redacted private-key 1]\nok",
		begin + "MHcCAQEEIIrYSSNwKnNxh0X1\nAwEHoUQDQgAE04up8hoqzS1\n…": "[redacted private-key 1]…",
		begin + "…": "",
	})
}

// TestCards finds the numbers of payment cards.
func TestCards(t *testing.T) {
	becomes(t, map[string]string{
		"4111 1111 1111 1111":                               "[redacted card 1]",
		"pay 5500-0055-5555-5559, please":                   "pay [redacted card 1], please",
		`{"n":378282246310005}`:                             `{"n":"[redacted card 1]"}`,
		"6011000990139424 378282246310005 6011000990139424": "[redacted card 1] [redacted card 2] [redacted card 1]",
		"4111 1111 1111 1112":                               "", // the check digit is wrong
		"0.4111111111111111":                                "",
		"1764345600000000":                                  "",
		"4111111111111111a":                                 "",
		"41 11 11 11 11 11 11 11":                           "",
		"4111-1111-1111-1111 12/27 123":                     "[redacted card 1] 12/27 123",
	})
}

// TestBroken finds tokens that a terminal has broken.
func TestBroken(t *testing.T) {
	line := strings.Repeat("=", 60)
	becomes(t, map[string]string{
		"token " + githubPAT[:17] + "\n" + githubPAT[17:] + "\nnext":                           "token [redacted github-pat 1]\nnext",
		githubPAT + " and " + githubPAT[:4] + "\r\n" + githubPAT[4:20] + "\n" + githubPAT[20:]: "[redacted github-pat 1] and [redacted github-pat 1]",
		githubPAT + "\nDEBUG1=yes\n":                               "[redacted github-pat 1]\nDEBUG1=yes\n",
		"sk-" + "aB3dE5gH7jK9mN1pQ3sT5vX7\nDEBUG1=yes\n":           "[redacted model-key 1]\nDEBUG1=yes\n",
		line + " sk-" + "aB3dE5gH7jK9mN1pQ3sT5vX7\nzA9cE1gI3kM5\n": line + " [redacted model-key 1]\n",
		"API_KEY_ID=none1\nDEBUG1=yes\n":                           "",
		"9f86d081884c7d659a2feaa0\na3bf4f1b2b0b822cd15d6c15":       "",
	})
}

// becomes redacts texts. A text that stays as it is has "" in the table.
func becomes(t *testing.T, table map[string]string) {
	t.Helper()
	for text, want := range table {
		if got := redactor(t, Options{}).Text(text); got != cmp.Or(want, text) {
			t.Errorf("%q became %q, want %q", text, got, cmp.Or(want, text))
		}
	}
}
