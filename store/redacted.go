package store

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Redacted returns the address of a store, or of a history in one, for messages. For PostgreSQL it
// is made from the user, the hosts, the database and the schema that the address means, as far as
// they are not the defaults; so it opens the same store wherever the password comes from the
// environment or a password file. Of an address that cannot be read only the scheme is shown. Texts
// that can have no password, such as the names of files, are returned as they are.
func Redacted(address string) string {
	scheme := schemes.FindString(address)
	rest := address[len(scheme):]
	switch {
	case scheme == "" && keywords.MatchString(address):
		return shownConfig(address)
	case scheme == "" && (strings.HasPrefix(address, "postgres:") || strings.HasPrefix(address, "postgresql:")):
		return hidden("postgres://")
	case scheme == "":
		if at := embedded.FindStringIndex(address); at != nil && (hasPassword(address[at[1]:]) || passwordSetting(address) >= 0) {
			return hidden(address[:at[1]])
		}
		return address
	case strings.HasPrefix(rest, "…"): // was redacted
		return address
	case isAmbiguous(rest) || !isPostgres(address) && (hasPassword(rest) || passwordSetting(rest) >= 0):
		return hidden(scheme)
	case !isPostgres(address):
		return address
	}
	base, id := cutID(address)
	return shownConfig(base) + id
}

var (
	schemes = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
	// embedded matches a scheme after a blank, a folder or another scheme.
	embedded = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://`)
	// keywords matches a connection string of keywords and values with a password.
	keywords = regexp.MustCompile(`(?is)^\s*(\w+\s*=.*[\s;])?(ssl)?password\s*=`)
	// settings matches the names of the settings of an address.
	settings = regexp.MustCompile(`[?&]([^=&?#]*)=`)
)

func hidden(scheme string) string { return scheme + "…" }

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// hasPassword reports whether what follows the "://" of an address may have a password in it.
func hasPassword(rest string) bool {
	at := strings.LastIndexByte(rest, '@')
	return at >= 0 && rest[0] != '/' && strings.Contains(rest[:at], ":")
}

// passwordSetting returns the position of a password among the settings of an address, or -1.
func passwordSetting(rest string) int {
	for _, at := range settings.FindAllStringSubmatchIndex(rest, -1) {
		name, err := url.QueryUnescape(rest[at[2]:at[3]])
		if err != nil || strings.Contains(strings.ToLower(name), "password") {
			return at[0]
		}
	}
	return -1
}

// isAmbiguous reports whether a password may end at another @ than that of the syntax, where libpq
// and pgx end it: at the first one, and only if no slash comes before it. For libpq, a # after a
// password among the settings is a part of it.
func isAmbiguous(rest string) bool {
	if at := passwordSetting(rest); at >= 0 && strings.Contains(rest[at:], "#") {
		return true
	}
	return hasPassword(rest) && strings.IndexAny(rest, "@/") != strings.LastIndexByte(rest, '@')
}

// cutID cuts an address before its last # that is not in the user or password.
func cutID(address string) (base, id string) {
	start := len(schemes.FindString(address))
	if i := strings.IndexAny(address[start:], "@/"); start > 0 && i >= 0 && address[start+i] == '@' {
		start += i
	}
	if i := strings.LastIndexByte(address[start:], '#'); i >= 0 {
		return address[:start+i], address[start+i:]
	}
	return address, ""
}

// shownConfig returns what an address or a connection string means, without what a message must not
// have.
func shownConfig(text string) string {
	config, err := pgconn.ParseConfig(text)
	if err != nil {
		return hidden("postgres://")
	}
	defaults, err := pgconn.ParseConfig("")
	if err != nil {
		defaults = &pgconn.Config{}
	}
	var b strings.Builder
	b.WriteString("postgres://")
	if config.User != defaults.User {
		b.WriteString(url.User(config.User).String() + "@")
	}
	if hosts := hostsOf(config, defaults.Port); hosts != hostsOf(defaults, defaults.Port) {
		b.WriteString(hosts)
	}
	if config.Database != defaults.Database {
		b.WriteString("/" + url.PathEscape(config.Database))
	}
	sign := "?"
	for _, name := range []string{"options", "search_path"} { // either may name the schema
		if value := config.RuntimeParams[name]; value != defaults.RuntimeParams[name] {
			b.WriteString(sign + name + "=" + strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
			sign = "&"
		}
	}
	return b.String()
}

// hostsOf returns the hosts of a configuration as an address lists them.
func hostsOf(c *pgconn.Config, defaultPort uint16) string {
	var list []string
	add := func(host string, port uint16) {
		text := url.PathEscape(host) // may be the folder of a socket
		if strings.Contains(host, ":") {
			text = "[" + host + "]"
		}
		if port != defaultPort {
			text += ":" + strconv.Itoa(int(port))
		}
		if !slices.Contains(list, text) { // with and without TLS
			list = append(list, text)
		}
	}
	add(c.Host, c.Port)
	for _, f := range c.Fallbacks {
		add(f.Host, f.Port)
	}
	return strings.Join(list, ",")
}
