/**
 * Runs a program that ends with the service, even when that is killed: the service holds the other end of its input, and the
 * end of it is the end of all that was started here.
 *
 * The program that watches is the last to go, so that git puts away its locks first.
 */
export const tied = `
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
