import { cell, generated } from "./markdown.ts"
import { services } from "./openapi.ts"

const table = (service: keyof typeof services): string => {
  const { operations } = services[service]
  const counts = new Map<string, number>()
  for (const { errors } of operations) {
    for (const { description, status } of errors) {
      const key = `${status} | ${cell(description === "<No Content>" ? "redirect" : description)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [
    "| status | meaning | operations |",
    "|---|---|---:|",
    ...[...counts].toSorted(([one], [other]) => one.localeCompare(other)).map(([key, count]) => `| ${key} | ${count} |`)
  ].join("\n")
}

/** Returns the page of error statuses of both services. */
export const errorsPage = (): string => `# Errors

${generated}

Statuses that the services' OpenAPI documents declare, with the number of operations that may return them. Every response may also be 500 (with \`request_id\`) or 503 (with
\`Retry-After\`, when the database or a limit is exhausted).

## Forge

Bodies are \`{"message", "url"}\`. 422 names every invalid field.

${table("forge")}

## Deploy

Bodies are \`{"message"}\`. 400 has \`errors\` with every invalid field.

${table("deploy")}
`
