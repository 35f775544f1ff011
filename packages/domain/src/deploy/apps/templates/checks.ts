/** Returns a check with the `wget` of BusyBox. */
export const wget = (url: string): ReadonlyArray<string> => ["CMD", "wget", "-q", "-O", "/dev/null", url]

/** Returns a check with `curl`. */
export const curl = (url: string): ReadonlyArray<string> => ["CMD", "curl", "-fsS", "-o", "/dev/null", url]

/** Returns a check with Node, for images that run on it; an answer below 500 is healthy. */
export const node = (url: string): ReadonlyArray<string> => [
  "CMD",
  "node",
  "-e",
  `fetch("${url}").then((answer) => process.exit(answer.status < 500 ? 0 : 1), () => process.exit(1))`
]

/** Returns a check with PHP, for images that run on it: something accepts connections at the port. */
export const php = (port: number): ReadonlyArray<string> => [
  "CMD",
  "php",
  "-r",
  `exit(@fsockopen("127.0.0.1", ${port}) ? 0 : 1);`
]

/** Returns a check with Python, for images that run on it. */
export const python = (url: string): ReadonlyArray<string> => [
  "CMD",
  "python3",
  "-c",
  `import urllib.request; urllib.request.urlopen("${url}", timeout=4)`
]

/** Returns a check with Bash, for images without an HTTP client: something accepts connections at the port. */
export const bash = (port: number): ReadonlyArray<string> => ["CMD", "bash", "-c", `: > /dev/tcp/127.0.0.1/${port}`]
