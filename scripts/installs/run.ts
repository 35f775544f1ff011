import { spawn } from "node:child_process"

/** Runs a program without blocking this process, which serves the registry; returns its output. */
export const run = (
  command: string,
  args: ReadonlyArray<string>,
  cwd: string,
  environment: Readonly<Record<string, string>> = {}
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [output, errors] = ["", ""]
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.stderr.on("data", (chunk) => {
      errors += chunk
    })
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === 0) resolve(output)
      else reject(new Error(`${command} ${args.join(" ")} exited with ${code}\n${output}${errors}`))
    })
  })
