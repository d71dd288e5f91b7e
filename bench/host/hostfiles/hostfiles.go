// Package hostfiles writes folders of source files for benchmarks: programs, data and documents of
// every kind that can contain selectors, and shell scripts. The files depend only on the arguments.
package hostfiles

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// kind is a kind of source file. It begins with start. Only in a file with selectors do head
// follow, and later copies of selectors. part is repeated until the file is long enough, and end is
// written last. %[1]d is a number that differs from part to part.
type kind struct {
	ext, start, part, head, selectors, end string
}

var kinds = []kind{
	{".go", "package p\n\nimport \"fmt\"\n\n", "// Work%[1]d adds up what it is given.\nfunc Work%[1]d(list []int) (string, error) {\n\tsum := 0\n\tfor i, n := range list {\n\t\tif n < 0 {\n\t\t\treturn \"\", fmt.Errorf(\"element %%d of work %[1]d is %%d\", i, n)\n\t\t}\n\t\tsum += n\n\t}\n\treturn fmt.Sprint(\"sum: \", sum), nil\n}\n\n",
		"import \"github.com/pactkit/pactkit\"\n\nvar c *pactkit.Tree\n\n", "var found%[1]d, err%[1]d = c.Select(ctx, \".seg > .block[kind=\\\"k%[1]d\\\"]\")\n\n", ""},
	{".py", "import os\nimport sys\n\n", "def work_%[1]d(items, limit=%[1]d):\n    \"\"\"Adds up what it is given, and says so.\"\"\"\n    total = 0\n    for i, item in enumerate(items):\n        if item < 0:\n            raise ValueError(f\"element {i} of work %[1]d is {item!r}\")\n        total += item  # one by one\n    return 'sum: ' + str(total)\n\n\n",
		"import pactsel\n\nctx = pactsel.open('a.json')\n\n", "blocks = ctx.select('.seg > .block[kind=\"k%[1]d\"]')\n\n\n", ""},
	{".ts", "import { join } from 'node:path'\n\n", "/** Adds up what it is given. */\nexport function work%[1]d(items: number[], limit = %[1]d): string {\n  let total = 0\n  for (const item of items) {\n    if (item < 0) throw new Error(`element of work %[1]d is ${item}`)\n    total += item / 2\n  }\n  return \"sum: \" + total.toString().replace(/['\"]/g, '')\n}\n\n",
		"import { open } from '@pactkit/cli'\n\nconst ctx = await open('a.json')\n\n", "const q%[1]d = pact`.seg > .block[kind='k%[1]d']`\nctx.select(\".block+t%[1]d\")\n\n", ""},
	{".js", "'use strict'\nconst path = require('path')\n\n", "exports.work%[1]d = function (items) {\n  return items.map((item) => path.join(\"work%[1]d\", String(item))).filter((s) => !/\\.tmp$/.test(s)) // no leftovers\n}\n\n",
		"const { open } = require('@pactkit/cli')\n\nconst ctx = open('a.json')\n\n", "ctx.select('.seg > .block[kind=\"k%[1]d\"]')\n\n", ""},
	{".rs", "use std::fmt;\n\n", "/// Adds up what it is given.\npub fn work_%[1]d<'a>(items: &'a [i64]) -> Result<String, String> {\n    let mut total = 0;\n    for (i, item) in items.iter().enumerate() {\n        if *item < 0 {\n            return Err(format!(\"element {} of work %[1]d is {}\", i, item));\n        }\n        total += item;\n    }\n    Ok(format!(\"sum: {}{}\", total, '.'))\n}\n\n",
		"// queries of PACT\n\n", "fn q%[1]d(c: &Context) { c.select(r#\"^seq .seg > .block[kind=\"k%[1]d\"]\"#); }\n\n", ""},
	{".java", "package p;\n\nclass Work {\n", "  /** Adds up what it is given. */\n  static String work%[1]d(int[] items) {\n    int total = 0;\n    for (int item : items) {\n      if (item < 0) throw new IllegalArgumentException(\"element of work %[1]d is \" + item);\n      total += item;\n    }\n    return \"sum: \" + total + '.';\n  }\n\n",
		"// uses com.example.pact\n", "  Object q%[1]d = ctx.select(\"^seq .seg > .block[kind='k%[1]d']\");\n\n", "}\n"},
	{".rb", "require 'json'\n\n", "# Adds up what it is given.\ndef work_%[1]d(items)\n  total = 0\n  items.each_with_index do |item, i|\n    raise ArgumentError, \"element #{i} of work %[1]d is #{item}\" if item < 0\n    total += item\n  end\n  'sum: ' + total.to_s\nend\n\n",
		"# queries of PACT\n\n", "ctx.select '^seq .seg > .block[kind=\"k%[1]d\"]'\n\n", ""},
	{".json", "{\n", "  \"work%[1]d\": {\"name\": \"work %[1]d\", \"path\": \"a/b/%[1]d\", \"on\": true, \"list\": [1, 2, \"three \\u00e4\"], \"more\": null},\n",
		"  \"pact\": \"1.0\",\n", "  \"query%[1]d\": {\"selector\": \"^seq .seg > .block[kind='k%[1]d']\"},\n", "  \"end\": 0\n}\n"},
	{".yaml", "version: 2\n", "work%[1]d:\n  name: \"work %[1]d\"\n  path: a/b/%[1]d\n  on: true\n  list: [1, 2, 'three']\n  text: |\n    some text\n    for work %[1]d\n",
		"# pact\n", "query%[1]d:\n  selector: \"^seq .seg > .block[kind='k%[1]d']\"\n", ""},
	{".toml", "version = 2\n", "[work%[1]d]\nname = \"work %[1]d\"\npath = 'a/b/%[1]d'\non = true\nlist = [1, 2, \"three\"]\n",
		"# pact\n", "[query%[1]d]\nselector = \"^seq .seg > .block[kind='k%[1]d']\"\n", ""},
	{".md", "# Notes\n\n", "## Work %[1]d\n\nSome text about work %[1]d, with `code` and a [link](https://example.com/%[1]d).\n\n```sh\nmake work-%[1]d\n```\n\n- one\n- two\n\n",
		"About PACT.\n\n", "```pact\n.seg > .block[kind='k%[1]d']\n```\n\n", ""},
}

const shellPart = "# Adds up what it is given.\nwork_%[1]d() {\n  local total=0\n  for n in \"$@\"; do\n    if [ \"$n\" -lt 0 ]; then\n      echo \"element of work %[1]d is ${n}\" >&2\n      return 1\n    fi\n    total=$((total + n))\n  done\n  printf 'sum: %%s\\n' \"$total\" | sed -e 's/a/b/' \\\n    -e \"s/c/$1/\"\n}\n\n"

// Write writes n files of about size bytes each below a folder, cycling through all kinds. Of each
// kind, one file in every contains selectors. It returns their paths.
func Write(folder string, n, size, every int) ([]string, error) {
	return write(folder, n, func(i int) (string, string) {
		k := kinds[i%len(kinds)]
		var b strings.Builder
		holds := i/len(kinds)%every == 0
		b.WriteString(k.start)
		if holds {
			b.WriteString(k.head)
		}
		for part := 0; b.Len() < size; part++ {
			fmt.Fprintf(&b, k.part, part)
			if holds && part%4 == 0 {
				fmt.Fprintf(&b, k.selectors, part)
			}
		}
		b.WriteString(k.end)
		return k.ext, b.String()
	})
}

// WriteShell writes n shell scripts of about size bytes each below a folder.
func WriteShell(folder string, n, size int) ([]string, error) {
	return write(folder, n, func(i int) (string, string) {
		var b strings.Builder
		b.WriteString("#!/bin/sh\nset -eu\n\n")
		for part := i; b.Len() < size; part++ {
			fmt.Fprintf(&b, shellPart, part)
		}
		return ".sh", strings.TrimRight(b.String(), "\n") + "\n"
	})
}

func write(folder string, n int, file func(int) (ext, text string)) ([]string, error) {
	paths := make([]string, n)
	for i := range n {
		ext, text := file(i)
		dir := filepath.Join(folder, fmt.Sprintf("d%03d", i/100))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
		}
		paths[i] = filepath.Join(dir, fmt.Sprintf("f%05d%s", i, ext))
		if err := os.WriteFile(paths[i], []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}
