import { area } from "../Action.ts"

const packages = area({
  on: "packageOwner",
  base: "/packages/{username}",
  scope: ["package"],
  guards: ["sign-in", "package-read"],
  asks: ["owner-visible"]
})

/** Packages: each action with its route and the guards of its row. */
export const packageActions = {
  "package.list": packages("GET"),
  "package.version.list": packages("GET /{type}/{name}"),
  "package.delete": packages("DELETE /{type}/{name}", "package-write"),
  "package.version.read": packages("GET /{type}/{name}/{version}"),
  "package.version.delete": packages("DELETE /{type}/{name}/{version}", "package-write"),
  "package.version.file.list": packages("GET /{type}/{name}/{version}/files"),
  "package.version.read-latest": packages("GET /{type}/{name}/-/latest"),
  "package.link": packages("POST /{type}/{name}/-/link/{repo_name}", "package-write"),
  "package.unlink": packages("POST /{type}/{name}/-/unlink", "package-write")
} as const
