// Package corpus measures searches of 3,200 conversations of tau-bench and compares them with
// DuckDB on one thread, orjson, jq and gojq. The conversations are 51 MB of JSON Lines, a folder of
// session files of Claude Code, or JSON Lines with Chinese text. Each row is a kind of question:
// one with few results, one that only counts them, and one without results.
//
// The metric is cpu-ms, the processor time of a search: wall time means little on a busy machine.
// jq is started for each question, and its time includes the start. DuckDB and orjson run in one
// Python process, peers.py. The variable PACTKIT_PYTHON names a Python with their modules; if it is
// not set, their rows are missing. The variable PACTKIT_CORPUS_LOG can name another list of
// conversations with the member traj, and PACTKIT_CORPUS a file of JSON Lines with the member
// messages.
package corpus
