package members_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/members"
)

type thing struct {
	Name  string
	Tags  []string
	Sure  bool
	Count int
	Parts []string
}

func read(src string) (thing, error) {
	var x thing
	part := func(s *canonjson.Scanner) error {
		var id string
		err := members.Object{"id": members.String(&id)}.Value()(s)
		x.Parts = append(x.Parts, id)
		return err
	}
	err := members.Read(src, members.Object{
		"name": members.String(&x.Name), "tags": members.Strings(&x.Tags), "sure": members.Bool(&x.Sure),
		"count": members.Count(&x.Count), "parts": members.List(part),
	})
	return x, err
}

func TestRead(t *testing.T) {
	for src, want := range map[string]thing{
		`{}`: {},
		` {"name":"n\u0041","tags":["a","b"],"sure":true,"count":3,"parts":[{"id":"p"},{}]} `: {"nA", []string{"a", "b"}, true, 3, []string{"p", ""}},
		`{"name":null,"tags":null,"sure":null,"count":null,"parts":null}`:                     {},
	} {
		got, err := read(src)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", src, err, diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`[]`:                              `$: this is a list; write an object`,
		`null`:                            `$: this is null; write an object`,
		`{"Name":"x"}`:                    `$.Name: there is no such member; did you mean "name"?`,
		`{"zzzzzzzz":1}`:                  `$.zzzzzzzz: there is no such member; there are count, name, parts, sure, tags`,
		`{"name":1}`:                      `$.name: this is a number; write a string`,
		`{"name":true}`:                   `$.name: this is true; write a string`,
		`{"tags":["a",{}]}`:               `$.tags[1]: this is an object; write a string`,
		`{"tags":"a"}`:                    `$.tags: this is a string; write a list`,
		`{"sure":"true"}`:                 `$.sure: this is a string; write true or false`,
		`{"count":-1}`:                    `$.count: this is -1; write a whole number from 0 to 2147483647`,
		`{"count":1.5}`:                   `$.count: this is 1.5; write a whole number from 0 to 2147483647`,
		`{"count":1e99}`:                  `$.count: this is 1e99; write a whole number from 0 to 2147483647`,
		`{"count":"1"}`:                   `$.count: this is a string; write a whole number from 0 to 2147483647`,
		`{"parts":[{},{"id":["x"]}]}`:     `$.parts[1].id: this is a list; write a string`,
		`{"parts":[{"id":"a","id":"b"}]}`: `offset 20: duplicate member "id"`,
		`{"name":"\ud800"}`:               `offset 9: an unpaired surrogate`,
		"{\"name\":\"\xff\"}":             `offset 9: a string is not valid UTF-8`,
		`{"name":"a"} {}`:                 `offset 13: '{' where the end should follow`,
		`{"name":[1,}`:                    `offset 11: '}' where a JSON value should follow`,
		`{"name":"a"`:                     `offset 11: the text ends where a comma or } should follow`,
	} {
		if _, err := read(src); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", src, err, want)
		}
	}
}
