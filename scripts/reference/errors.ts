import { cell, generated } from "./markdown.ts"
import { services } from "./openapi.ts"

/** Meanings of responses without a description. */
const meanings: Readonly<Record<string, string>> = { "<No Content>": "redirect", SearchFailedBody: "A search failed." }

const table = (service: keyof typeof services): string => {
  const { operations } = services[service]
  const counts = new Map<string, number>()
  for (const { errors } of operations) {
    for (const { description, status } of errors) {
      const key = `${status} | ${cell(meanings[description] ?? description)}`
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

This page lists the error statuses of both services, with their meaning.

${generated}

The tables contain the statuses of the OpenAPI descriptions. The column "operations" is the number of operations that can return the status.
In addition, every operation can return 500 and 503. 500 is an internal error; the body has a \`request_id\`. 503 means that the database is unavailable or a limit is reached; \`Retry-After\` says when to retry.

## Forge

The body of an error is \`{"message", "url"}\`. The message of a 422 response names every invalid field.

${table("forge")}

## Deploy

The body of an error is \`{"message"}\`. A 400 response also has \`errors\` with every invalid field.

${table("deploy")}
`
