/**
 * Runs a program that exits with the service, even when that is killed. The service holds the other end of the
 * program's input, and the end of the input stops all processes started here.
 *
 * The watching process exits last, so that git removes its locks first.
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
