import { ArgumentError, type ServiceAccess } from "../call.ts"
import { endpointTools } from "../definitions.ts"
import { type ServiceTool, sendTo, text } from "./ServiceTool.ts"

const asked = sendTo("forge")

const resourceSchema = {
  type: "string",
  description:
    "org:<name>, team:<id>, repo:<owner>/<name>, user:<name>, packages:<owner>, site, or for example issue:<owner>/<name>#<number>"
}
const actionSchema = {
  type: "string",
  description: "The name of an action in the access tables, such as repository.delete"
}
const userSchema = { type: "string", description: "The name of a user; an anonymous caller if omitted" }

const explain: ServiceTool = {
  name: "explain_access",
  description:
    "Explains why a user may or may not do an action on a resource of the forge: the deciding rules, the steps of the decision, and the changes of facts that would reverse it. Requires permission to administer the resource.",
  properties: { resource: resourceSchema, action: actionSchema, user: userSchema },
  required: ["resource", "action"],
  call: async (forge, args) => (await asked("forge_access_explain", forge, args)).body
}

/** The endpoints of the forge that change data and support a preview (`dry_run`). */
const previews = endpointTools.forge.filter(({ query }) => query.includes("dry_run"))

const change: ServiceTool = {
  name: "what_would_change",
  description: `Lists the users who would gain or lose access to a repository by a change, and makes no change. The changes: ${previews
    .map(({ name, summary }) => `${name} (${summary})`)
    .join("; ")}. Requires the permission to make the change.`,
  properties: {
    change: { type: "string", enum: previews.map(({ name }) => name) },
    arguments: {
      type: "object",
      description: "The arguments of the change: the names in its path, and `body` with the fields to change"
    }
  },
  required: ["change", "arguments"],
  call: async (forge, args) => {
    const tool = previews.find(({ name }) => name === text(args, "change"))
    if (tool === undefined) {
      throw new ArgumentError(`\`change\` is not one of ${previews.map(({ name }) => name).join(", ")}`)
    }
    const more = args.arguments
    if (typeof more !== "object" || more === null) throw new ArgumentError("`arguments` is not an object")
    const { body, status, total } = await asked(tool.name, forge, { ...more, dry_run: "true" })
    // A service that knows no preview would have made the change.
    if (status !== 200 || !Array.isArray(body)) throw new Error(`the forge did not preview the change: ${status}`)
    return { changes: body, total: total ?? body.length }
  }
}

interface Explained {
  readonly allowed: boolean
  readonly status: number
  readonly rules: ReadonlyArray<string>
}

/** The maximum number of users in one tool call. */
const mostUsers = 100

const candidates = async (forge: ServiceAccess, resource: string): Promise<ReadonlyArray<string>> => {
  const repository = /^repo:([^/]+)\/([^/]+)$/.exec(resource)
  if (repository !== null) {
    const [, username, reponame] = repository
    const { body } = await asked("forge_repository_access_list", forge, { username, reponame, limit: 50 })
    return (body as ReadonlyArray<{ readonly user: { readonly login: string } }>).map(({ user }) => user.login)
  }
  const organization = /^org:([^/]+)$/.exec(resource)
  if (organization !== null) {
    const { body } = await asked("forge_organization_member_list", forge, { org: organization[1], limit: 50 })
    return (body as ReadonlyArray<{ readonly login: string }>).map(({ login }) => login)
  }
  throw new ArgumentError("`users` is missing: the forge lists users with access only for repo: and org:")
}

const whoCan: ServiceTool = {
  name: "who_can",
  description:
    "Lists which users may do an action on a resource of the forge, with the deciding rules. Asks about the users with access to a repository (repo:), the members of an organization (org:), or the named users, and about anonymous callers. Requires permission to administer the resource.",
  properties: {
    resource: resourceSchema,
    action: actionSchema,
    users: { type: "array", items: { type: "string" }, maxItems: mostUsers }
  },
  required: ["resource", "action"],
  call: async (forge, args) => {
    const [resource, action] = [text(args, "resource"), text(args, "action")]
    const named = args.users
    if (named !== undefined && !(Array.isArray(named) && named.every((each) => typeof each === "string"))) {
      throw new ArgumentError("`users` is not a list of names")
    }
    const users: ReadonlyArray<string> = named ?? (await candidates(forge, resource))
    if (users.length > mostUsers) throw new ArgumentError(`\`users\` has more than ${mostUsers} names`)
    const waiting: Array<{ readonly name: string; readonly user?: string }> = [
      { name: "anonymous" },
      ...users.map((user) => ({ name: user, user }))
    ]
    const decided = new Map<string, Explained>()
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { name, ...about } = next
        const { body } = await asked("forge_access_explain", forge, { resource, action, ...about })
        decided.set(name, body as Explained)
      }
    }
    await Promise.all([work(), work(), work(), work()])
    const rows = ["anonymous", ...users].flatMap((user) => {
      const found = decided.get(user)
      return found === undefined ? [] : [{ ...found, user }]
    })
    return {
      resource,
      action,
      allowed: rows.filter(({ allowed }) => allowed).map(({ rules, user }) => ({ user, rules })),
      denied: rows.filter(({ allowed }) => !allowed).map(({ rules, status, user }) => ({ user, status, rules }))
    }
  }
}

/** The tools about access decisions of the forge. */
export const forgeTools: ReadonlyArray<ServiceTool> = [explain, change, whoCan]
