import { conditionsOn } from "@slipway/access"
import type { AccessFacts } from "./abilities.ts"
import { type Capability, leastRoleWith } from "./capabilities.ts"

const { any, flag, all, not } = conditionsOn<AccessFacts>()

/**
 * The access rules of the deployment platform about token abilities: which ability permits which action (decision
 * "Bearer tokens").
 */
export const rules = {
  anyone: { when: all(), because: "every valid token may" },
  read: {
    when: any(flag("read"), flag("sensitive"), flag("root")),
    because: "tokens with `read`, `read:sensitive` or `root` may"
  },
  sensitive: { when: any(flag("sensitive"), flag("root")), because: "tokens with `read:sensitive` or `root` may" },
  write: { when: any(flag("write"), flag("root")), because: "tokens with `write` or `root` may" },
  deploy: { when: any(flag("deploy"), flag("root")), because: "tokens with `deploy` or `root` may" },
  account: { when: flag("account"), because: "sessions and tokens of an account may" },
  accountRoot: {
    when: all(flag("account"), flag("root")),
    because: "sessions and tokens of an account with `root` may"
  },
  session: { when: flag("session"), because: "sessions may, because a token must not extend itself" },
  root: { when: flag("root"), because: "tokens with `root` may" },
  mint: {
    when: all(flag("root"), any(flag("session"), not(flag("account")))),
    because: "tokens with `root` may, but not those of an account, because a token must not extend itself"
  }
} as const

/** The name of an access rule about abilities. */
export type RuleId = keyof typeof rules

const needs = (capability: Capability, where = "on the resource or above it"): string =>
  `the role \`${leastRoleWith(capability)}\` ${where} is missing (capability \`${capability}\`)`

/**
 * The condition to deploy. In a protected environment, it requires a role on the environment itself or an administrator
 * of the team.
 */
const operates = all(flag("operate"), any(not(flag("isProtected")), flag("operatesHere"), flag("protection")))

/**
 * The access rules about roles: which capability on a place permits which action.
 *
 * `isPlaced` marks rules about the place of a resource. A token that is limited to projects satisfies them only for
 * places in these projects.
 */
export const roleRules = {
  anyone: { when: all(), because: "every caller may", isPlaced: false },
  member: {
    when: any(flag("known"), all(flag("root"), flag("instance"))),
    because: "only members of the team may",
    isPlaced: false
  },
  view: { when: flag("view"), because: needs("view"), isPlaced: true },
  // A caller that edits a project chooses a server for its resources.
  choose: {
    when: any(flag("view"), flag("editsInTeam")),
    because: `${needs("view", "on the team")}, or \`developer\` on one of its resources`,
    isPlaced: true
  },
  operate: {
    when: operates,
    because: `${needs("operate")}; a protected environment needs it on the environment itself`,
    isPlaced: true
  },
  // Without a role in a protected environment, the deployment waits for an approval.
  request: { when: flag("operate"), because: needs("operate"), isPlaced: true },
  // A scheduled command runs in the containers, and a moved resource leaves the environment that protects it.
  run: {
    when: all(flag("edit"), operates),
    because: `${needs("edit")}; a protected environment needs \`deployer\` on the environment itself as well`,
    isPlaced: true
  },
  protect: {
    when: all(flag("edit"), flag("protection")),
    because: needs("protection"),
    isPlaced: true
  },
  edit: { when: flag("edit"), because: needs("edit"), isPlaced: true },
  editSomewhere: {
    when: flag("editsInTeam"),
    because: needs("edit", "on the team or one of its resources"),
    isPlaced: false
  },
  secrets: {
    when: all(flag("secrets"), any(not(flag("isProtected")), flag("protection"))),
    because: `${needs("secrets")}; a protected environment needs \`${leastRoleWith("protection")}\``,
    isPlaced: true
  },
  // A shell in a container can read its secrets.
  terminal: {
    when: all(flag("terminal"), any(not(flag("isProtected")), flag("protection"))),
    because: `${needs("terminal")}; a protected environment needs the capability \`protection\` as well`,
    isPlaced: true
  },
  infrastructure: { when: flag("infrastructure"), because: needs("infrastructure", "on the team"), isPlaced: true },
  // A transfer reads all secrets of the server, and removes its resources here.
  transfer: {
    when: all(flag("infrastructure"), flag("secrets"), flag("protection"), flag("edit")),
    because: `${needs("infrastructure", "on the team")}, with \`secrets\`, \`protection\` and \`edit\``,
    isPlaced: true
  },
  members: {
    when: any(flag("members"), all(flag("root"), flag("instance"))),
    because: needs("members"),
    isPlaced: true
  },
  ownership: {
    when: any(flag("ownership"), all(flag("root"), flag("instance"))),
    because: needs("ownership", "on the team"),
    isPlaced: true
  },
  instance: { when: flag("instance"), because: "the role `owner` on the root team is missing", isPlaced: true }
} as const

/** The name of an access rule about roles. */
export type RoleRuleId = keyof typeof roleRules
