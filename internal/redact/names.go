package redact

import (
	"slices"
	"strings"
)

// The names of credentials, as plainName returns them.
var (
	// sureNames are the ends of names that are credentials in any data.
	sureNames = strings.Fields(`password passwd passphrase secret apikey accesstoken refreshtoken idtoken authtoken sessiontoken bearertoken
		apitoken secretkey accesskey privatekey signingkey authorization cookie credential credentials`)
	// settingNames are the ends of names that are credentials in settings. In data they may be
	// words or counts.
	settingNames = strings.Fields(`subscriptionkey sessionkey accesskeyid token authheader jwt bearer
		connectionstring credentialsjson`)
	// wholeNames are credentials in settings only as a whole, and paramNames only in an address.
	wholeNames = strings.Fields(`auth pat sas dsn`)
	paramNames = strings.Fields(`key code sig hmac pwd`)
	// plainNames end like names of credentials, but are not.
	plainNames = strings.Fields(`eostoken bostoken padtoken unktoken stoptoken nexttoken pagetoken nextpagetoken
		maxtoken maxnewtoken maxinputtoken maxoutputtoken maxcompletiontoken maxthinkingtoken mintoken numtoken budgettoken contexttoken`)
)

var separators = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

// plainName returns a name in lower case and without separators of words.
func plainName(name string) string { return separators.Replace(strings.ToLower(name)) }

func endsWith(name string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// IsCredential reports whether the value of a member, a header or a parameter with this name is a
// credential in any data: password, DB_PASSWORD, x-api-key, http.request.header.authorization.
func IsCredential(name string) bool { return endsWith(plainName(name), sureNames) }

// IsSetting reports whether the value of a member, a flag or a variable with this name is a
// credential in settings. There, more names are: GITHUB_TOKEN, auth, subscriptionKeys.
func IsSetting(name string) bool {
	name = plainName(name)
	if slices.Contains(wholeNames, name) {
		return true
	}
	name = strings.TrimSuffix(name, "s")
	return !slices.Contains(plainNames, name) && (endsWith(name, sureNames) || endsWith(name, settingNames))
}

// IsParam reports whether the value of a parameter of an address with this name is a credential.
func IsParam(name string) bool {
	return IsSetting(name) || slices.Contains(paramNames, plainName(name)) || strings.HasSuffix(plainName(name), "signature")
}
