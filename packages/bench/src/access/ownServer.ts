// A server with the five examples, decided by `@slipway/access`. Prints its port.
import { createServer } from "node:http"
import { decide, openLists, type Question } from "./documents.ts"

const lists = openLists()
const server = createServer(async (request, response) => {
  let text = ""
  for await (const chunk of request) text += chunk
  const question = JSON.parse(text) as Question
  const answer = request.url === "/list" ? { objects: lists(question.user) } : { allowed: decide(question) }
  const body = JSON.stringify(answer)
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body)
})
// The parent process may have been killed.
process.stdin.on("end", () => process.exit()).resume()
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { port: number }).port}\n`))
