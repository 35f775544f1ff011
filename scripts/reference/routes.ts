import { cell, generated } from "./markdown.ts"
import { type Operation, services } from "./openapi.ts"

const permissionOf = ({ access }: Operation): string => {
  if (access.scope !== undefined) return [...access.scope].map((scope) => `\`${scope}\``).join(", ")
  // Deploy states its rule as a sentence: `tokens with X or Y may`.
  return typeof access.because === "string" ? cell(access.because.replace(/^tokens with (.*) may$/, "$1")) : ""
}

/** Returns the page of all routes of a service, grouped as its interactive reference groups them. */
export const routesPage = (service: keyof typeof services): string => {
  const { operations, tags } = services[service]
  const groups = Map.groupBy(operations, ({ tag }) => tag)
  const permission = service === "forge" ? "scope of a token" : "permission"
  const parts = [...groups].map(([tag, members]) =>
    [
      `## ${tag}`,
      "",
      cell(tags.get(tag) ?? ""),
      "",
      `| route | purpose | ${permission} |`,
      "|---|---|---|",
      ...members.map((each) => `| \`${each.method} ${each.path}\` | ${cell(each.summary)} | ${permissionOf(each)} |`)
    ].join("\n")
  )
  return `# Routes of ${service}

This page lists the ${operations.length} operations of ${service}, with the permission that each one needs. Paths start at \`/api/v1\`.

${generated}

[API conventions](${service}-api.md) describes authentication, pagination and errors.

${parts.join("\n\n")}
`
}
