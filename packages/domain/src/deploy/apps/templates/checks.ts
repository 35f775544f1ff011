/** Returns a health check command that uses the `wget` of BusyBox. */
export const wget = (url: string): ReadonlyArray<string> => ["CMD", "wget", "-q", "-O", "/dev/null", url]

/** Returns a health check command that uses `curl`. */
export const curl = (url: string): ReadonlyArray<string> => ["CMD", "curl", "-fsS", "-o", "/dev/null", url]

/** Returns a health check command for images with Node. A response with a status below 500 is healthy. */
export const node = (url: string): ReadonlyArray<string> => [
  "CMD",
  "node",
  "-e",
  `fetch("${url}").then((answer) => process.exit(answer.status < 500 ? 0 : 1), () => process.exit(1))`
]

/** Returns a health check command for images with PHP. It checks that the port accepts connections. */
export const php = (port: number): ReadonlyArray<string> => [
  "CMD",
  "php",
  "-r",
  `exit(@fsockopen("127.0.0.1", ${port}) ? 0 : 1);`
]

/** Returns a health check command that uses Python, for images that contain it. */
export const python = (url: string): ReadonlyArray<string> => [
  "CMD",
  "python3",
  "-c",
  `import urllib.request; urllib.request.urlopen("${url}", timeout=4)`
]

/**
 * Returns a health check command that uses Bash, for images without an HTTP client. It checks that the port accepts
 * connections.
 */
export const bash = (port: number): ReadonlyArray<string> => ["CMD", "bash", "-c", `: > /dev/tcp/127.0.0.1/${port}`]
