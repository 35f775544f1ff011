/**
 * A shell script that runs a program and stops it when the service exits or is killed.
 *
 * The script's standard input is a pipe from the service. When the pipe closes, the script stops all processes that it
 * started. The watching process exits last, so that git can remove its lock files before.
 */
export const runTiedToService = `
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{
  trap '' TERM
  read -r gone <&3
  kill -TERM 0
  sleep 1
  kill -KILL 0
} >/dev/null 2>&1 &
watch=$!
exec 3<&-
trap 'trap "" TERM; kill -TERM 0; wait "$program"; kill -KILL "$watch"; exit 143' TERM
wait "$program"
code=$?
kill -KILL "$watch"
exit "$code"
`
