import { serveDemo } from "./start.ts"
import { signIns } from "./world.ts"

const port = Number(process.env.PORT ?? 3000)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(`PORT must be a number from 0 to 65535, not \`${process.env.PORT}\`\n`)
  process.exit(2)
}

process.stderr.write("making the demo world\n")
const demo = await serveDemo(port)
process.stdout.write(`The demo world is served at ${demo.url} until this program exits; nothing is saved.

Sign in with one of these names. The password is always: ${signIns[0]?.password}

${signIns.map(({ name, role }) => `  ${name.padEnd(8)} ${role}`).join("\n")}
`)

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void demo.close().then(() => process.exit(0)))
