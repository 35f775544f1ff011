import { ArgumentError, type ServiceAccess } from "../call.ts"
import { optionalText, type ServiceTool, sendTo, text } from "./ServiceTool.ts"

const asked = sendTo("deploy")

const actionSchema = {
  type: "string",
  description: "The name of an action in the table of deploy operations, such as application.deploy"
}
const objectSchema = {
  type: "string",
  description:
    "The UUID of the object, such as an application. For an action on a part of an object, the UUID of the object. Without it, the question is about the team or the platform"
}

interface Subject {
  readonly account_uuid: string
  readonly name: string
  readonly allowed: boolean
  readonly status: number
  readonly because: string
}

const subjects = async (deploy: ServiceAccess, action: string, object: string | undefined) => {
  const { body } = await asked("deploy_people_subjects", deploy, { action, object })
  return body as ReadonlyArray<Subject>
}

const explain: ServiceTool = {
  name: "explain_access",
  description:
    "Explains why the token in use may or may not do an action on an object: the checks up to the first failed one, with their rules and facts. With `member`, answers about a member of the team, which requires permission to list the members.",
  properties: {
    action: actionSchema,
    object: objectSchema,
    member: { type: "string", description: "The name or UUID of a member of the team" }
  },
  required: ["action"],
  call: async (deploy, args) => {
    const [action, object, member] = [text(args, "action"), optionalText(args, "object"), optionalText(args, "member")]
    if (member === undefined) return (await asked("deploy_people_explain", deploy, { action, object })).body
    const found = (await subjects(deploy, action, object)).filter(
      ({ account_uuid, name }) => account_uuid === member || name.toLowerCase() === member.toLowerCase()
    )
    const [only] = found
    if (only === undefined || found.length > 1) {
      throw new ArgumentError(
        only === undefined
          ? `\`member\`: the team has no member ${member}`
          : `\`member\`: several members have the name ${member}; use the UUID`
      )
    }
    return { action, object: object ?? null, ...only }
  }
}

const grantCreation = "deploy_people_createGrant"

const change: ServiceTool = {
  name: "what_would_change",
  description: `Lists the actions that a grant would add for its account or group on its place, and makes no change. The change: ${grantCreation} (Grant a member or a group of the team a role on a place). Requires the permission to make the change.`,
  properties: {
    change: { type: "string", enum: [grantCreation] },
    arguments: {
      type: "object",
      description: "The arguments of the change: the names in its path, and `body` with the fields to change"
    }
  },
  required: ["change", "arguments"],
  call: async (deploy, args) => {
    if (text(args, "change") !== grantCreation) throw new ArgumentError(`\`change\` is not ${grantCreation}`)
    const more = args["arguments"]
    if (typeof more !== "object" || more === null) throw new ArgumentError("`arguments` is not an object")
    return (await asked("deploy_people_previewGrant", deploy, { ...more })).body
  }
}

const whoCan: ServiceTool = {
  name: "who_can",
  description:
    "Lists which members of the team may do an action on an object, with the reasons. Requires permission to list the members.",
  properties: { action: actionSchema, object: objectSchema },
  required: ["action"],
  call: async (deploy, args) => {
    const [action, object] = [text(args, "action"), optionalText(args, "object")]
    const rows = await subjects(deploy, action, object)
    return {
      action,
      object: object ?? null,
      allowed: rows.filter(({ allowed }) => allowed).map(({ allowed: _, status: __, ...row }) => row),
      denied: rows.filter(({ allowed }) => !allowed).map(({ allowed: _, ...row }) => row)
    }
  }
}

/** The tools about access decisions of the deployment platform. */
export const deployTools: ReadonlyArray<ServiceTool> = [explain, change, whoCan]
