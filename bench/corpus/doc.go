// Package corpus measures one question over 3,200 conversations of tau-bench beside DuckDB in a process with one thread,
// orjson, jq and gojq: as 51 MB of JSON Lines, as a folder of session files of Claude Code, and with Chinese text. Each row
// is a kind of question: few hits, counting, and nothing found.
//
// The metric is cpu-ms, the processor time of the work: wall time means little on a busy machine.
// jq is started for each question, and its time includes the start. DuckDB and orjson run in one
// Python process, peers.py; the variable PACTKIT_PYTHON names a Python with their modules, and
// without it their rows are missing. The variable PACTKIT_CORPUS_LOG names another list of
// conversations with the member traj, and PACTKIT_CORPUS a file of lines with the member messages.
package corpus
