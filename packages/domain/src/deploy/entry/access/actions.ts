import type { RoleRuleId, RuleId } from "../../access/rules.ts"
import type { ResourceTypeName } from "./resources.ts"

/**
 * An action on a resource type, with its two access rules: `rule` checks the abilities of the token, and `role` checks
 * the role of the caller.
 */
export interface ActionRow<K extends ResourceTypeName = ResourceTypeName, R extends RuleId = RuleId> {
  readonly on: K
  readonly rule: R
  readonly role: RoleRuleId
}

const on =
  <const K extends ResourceTypeName>(kind: K) =>
  <const R extends RuleId>(rule: R, role: RoleRuleId): ActionRow<K, R> => ({ on: kind, rule, role })

const account = on("account")
const application = on("application")
const applicationTag = on("applicationTag")
const database = on("database")
const databaseBackup = on("databaseBackup")
const databaseBackupRun = on("databaseBackupRun")
const databaseStorage = on("databaseStorage")
const databaseTag = on("databaseTag")
const databaseVariable = on("databaseVariable")
const deletion = on("deletion")
const delivery = on("delivery")
const deployment = on("deployment")
const destination = on("destination")
const environment = on("environment")
const forgeApp = on("forgeApp")
const forgeConnection = on("forgeConnection")
const gitlabApp = on("gitlabApp")
const grant = on("grant")
const invitation = on("invitation")
const key = on("key")
const placement = on("placement")
const platform = on("platform")
const project = on("project")
const registry = on("registry")
const role = on("role")
const s3Storage = on("s3Storage")
const server = on("server")
const service = on("service")
const servicePart = on("servicePart")
const serviceStorage = on("serviceStorage")
const serviceTag = on("serviceTag")
const serviceTask = on("serviceTask")
const serviceVariable = on("serviceVariable")
const sharedOwner = on("sharedOwner")
const sharedVariable = on("sharedVariable")
const storage = on("storage")
const tag = on("tag")
const task = on("task")
const team = on("team")
const token = on("token")
const variable = on("variable")

/**
 * All actions of the deployment platform. Each has its resource type, the rule for the abilities of the token, and the
 * rule for the role of the caller.
 *
 * For actions on the platform itself, the role is the one in the team of the caller.
 */
export const actions = {
  "access.check": platform("read", "anyone"),
  "access.explain": platform("read", "anyone"),
  "access.objects": platform("read", "anyone"),
  "access.subjects": team("read", "members"),
  "access.watch": team("read", "members"),
  "account.list": platform("root", "instance"),
  "account.read": account("root", "instance"),
  "account.create": platform("root", "instance"),
  "account.update": account("root", "instance"),
  "account.own": platform("account", "anyone"),
  "account.password": platform("session", "anyone"),
  "account.identity.link": platform("session", "anyone"),
  "account.identity.unlink": platform("session", "anyone"),
  "account.session.list": platform("accountRoot", "anyone"),
  "account.session.end": platform("session", "anyone"),
  "account.token.list": platform("account", "anyone"),
  "account.token.create": platform("session", "anyone"),
  "account.token.revoke": platform("session", "anyone"),
  "api.enable": platform("root", "instance"),
  "api.disable": platform("root", "instance"),
  "application.list": platform("read", "anyone"),
  "application.read": application("read", "view"),
  "application.secrets": application("sensitive", "secrets"),
  "application.logs": application("read", "view"),
  "application.create": platform("write", "editSomewhere"),
  "application.clone": application("write", "edit"),
  "application.update": application("write", "edit"),
  "application.delete": application("write", "edit"),
  "application.deploy": application("deploy", "operate"),
  "application.deploy.request": application("deploy", "request"),
  "application.health.check": application("deploy", "operate"),
  "application.deployer.list": application("read", "members"),
  "application.plan": application("read", "view"),
  "application.apply": application("write", "edit"),
  "application.deployment.list": application("read", "view"),
  "application.metrics": application("read", "view"),
  "application.preview.list": application("read", "view"),
  "application.preview.delete": application("write", "edit"),
  "application.storage.backup.read": storage("read", "view"),
  "application.storage.backup.update": storage("write", "edit"),
  "application.storage.backup.delete": storage("write", "edit"),
  "application.storage.backup.run": storage("deploy", "operate"),
  "application.storage.backup.restore": storage("write", "edit"),
  "application.storage.delete": storage("write", "edit"),
  "application.tag.list": application("read", "view"),
  "application.tag.add": application("write", "edit"),
  "application.tag.remove": applicationTag("write", "edit"),
  "application.terminal": application("root", "terminal"),
  "application.variable.delete": variable("write", "edit"),
  "database.list": platform("read", "anyone"),
  "database.read": database("read", "view"),
  "database.secrets": database("sensitive", "secrets"),
  "database.logs": database("read", "view"),
  "database.create": platform("write", "editSomewhere"),
  "database.clone": database("write", "edit"),
  "database.update": database("write", "edit"),
  "database.delete": database("write", "edit"),
  "database.deploy": database("deploy", "operate"),
  "database.backup.list": database("read", "view"),
  "database.backup.create": database("write", "edit"),
  "database.backup.update": databaseBackup("write", "edit"),
  "database.backup.delete": databaseBackup("write", "edit"),
  "database.backup.executions": databaseBackup("read", "view"),
  "database.backup.execution.delete": databaseBackupRun("write", "edit"),
  "database.backup.execution.restore": databaseBackupRun("write", "edit"),
  "database.metrics": database("read", "view"),
  "database.restore": database("write", "edit"),
  "database.restore.list": database("read", "view"),
  "database.storage.backup.read": databaseStorage("read", "view"),
  "database.storage.backup.update": databaseStorage("write", "edit"),
  "database.storage.backup.delete": databaseStorage("write", "edit"),
  "database.storage.backup.run": databaseStorage("deploy", "operate"),
  "database.storage.backup.restore": databaseStorage("write", "edit"),
  "database.storage.delete": databaseStorage("write", "edit"),
  "database.tag.list": database("read", "view"),
  "database.tag.add": database("write", "edit"),
  "database.tag.remove": databaseTag("write", "edit"),
  "database.terminal": database("root", "terminal"),
  "database.variable.delete": databaseVariable("write", "edit"),
  "deletion.list": platform("read", "anyone"),
  "deletion.read": deletion("read", "view"),
  "delivery.list": application("read", "view"),
  "delivery.read": delivery("read", "view"),
  "deployment.list": platform("read", "anyone"),
  "deployment.create": platform("deploy", "anyone"),
  "deployment.read": deployment("read", "view"),
  "deployment.approve": deployment("deploy", "operate"),
  "deployment.cancel": deployment("deploy", "operate"),
  "deployment.reject": deployment("deploy", "operate"),
  "destination.list": platform("read", "anyone"),
  "destination.read": destination("read", "choose"),
  "destination.create": server("write", "infrastructure"),
  "destination.update": destination("write", "infrastructure"),
  "destination.delete": destination("write", "infrastructure"),
  "environment.list": project("read", "view"),
  "environment.read": environment("read", "view"),
  "environment.deployer.list": environment("read", "members"),
  "environment.create": project("write", "edit"),
  "environment.build.detect": environment("write", "edit"),
  "environment.protect": environment("write", "protect"),
  "environment.update": environment("write", "edit"),
  "environment.delete": environment("write", "edit"),
  "forgeApp.list": platform("read", "anyone"),
  "forgeApp.read": forgeApp("read", "choose"),
  "forgeApp.create": platform("write", "infrastructure"),
  "forgeApp.update": forgeApp("write", "infrastructure"),
  "forgeApp.delete": forgeApp("write", "infrastructure"),
  "forgeConnection.list": platform("read", "anyone"),
  "forgeConnection.read": forgeConnection("read", "choose"),
  "forgeConnection.create": platform("root", "instance"),
  "forgeConnection.update": forgeConnection("root", "instance"),
  "forgeConnection.disconnect": forgeConnection("root", "instance"),
  "forgeConnection.rotate": forgeConnection("root", "instance"),
  "forgeConnection.delete": forgeConnection("root", "instance"),
  "gitlabApp.list": platform("read", "anyone"),
  "gitlabApp.read": gitlabApp("read", "choose"),
  "gitlabApp.create": platform("write", "infrastructure"),
  "gitlabApp.update": gitlabApp("write", "infrastructure"),
  "gitlabApp.delete": gitlabApp("write", "infrastructure"),
  "grant.list": team("read", "members"),
  "grant.create": team("write", "members"),
  "grant.read": grant("read", "members"),
  "grant.delete": grant("write", "members"),
  "hostKey.forget": platform("write", "instance"),
  "hostKey.read": platform("read", "instance"),
  "invitation.accept": invitation("write", "anyone"),
  "invitation.create": team("write", "members"),
  "invitation.delete": invitation("write", "members"),
  "invitation.list": team("read", "members"),
  "invitation.own": platform("read", "anyone"),
  "key.list": platform("read", "anyone"),
  "key.read": key("read", "choose"),
  "key.create": platform("write", "infrastructure"),
  "key.describe": platform("write", "infrastructure"),
  "key.update": key("write", "infrastructure"),
  "key.delete": key("write", "infrastructure"),
  "mcp.enable": platform("root", "instance"),
  "mcp.disable": platform("root", "instance"),
  "notification.read": platform("read", "infrastructure"),
  "notification.secrets": platform("sensitive", "infrastructure"),
  "notification.update": platform("write", "infrastructure"),
  "notification.test": platform("write", "infrastructure"),
  "project.list": platform("read", "anyone"),
  "project.read": project("read", "view"),
  "project.create": platform("write", "edit"),
  "project.update": project("write", "edit"),
  "project.delete": project("write", "edit"),
  "registry.list": platform("read", "anyone"),
  "registry.read": registry("read", "choose"),
  "registry.create": platform("write", "infrastructure"),
  "registry.update": registry("write", "infrastructure"),
  "registry.delete": registry("write", "infrastructure"),
  "resource.create": placement("write", "edit"),
  "resource.move": placement("write", "run"),
  "resource.read": platform("read", "anyone"),
  "role.list": team("read", "member"),
  "role.create": team("write", "members"),
  "role.read": role("read", "member"),
  "role.update": role("write", "members"),
  "role.delete": role("write", "members"),
  "s3Storage.list": platform("read", "anyone"),
  "s3Storage.read": s3Storage("read", "choose"),
  "s3Storage.create": platform("write", "infrastructure"),
  "s3Storage.update": s3Storage("write", "infrastructure"),
  "s3Storage.delete": s3Storage("write", "infrastructure"),
  "s3Storage.validate": s3Storage("write", "infrastructure"),
  "server.list": platform("read", "anyone"),
  "server.read": server("read", "choose"),
  "server.create": platform("write", "infrastructure"),
  "server.update": server("write", "infrastructure"),
  "server.delete": server("write", "infrastructure"),
  "server.cleanup.list": server("read", "view"),
  "server.cleanup.run": server("write", "infrastructure"),
  "server.destination.list": server("read", "choose"),
  "server.export": server("sensitive", "transfer"),
  "server.import": platform("write", "transfer"),
  "server.logDrain.read": server("read", "infrastructure"),
  "server.metrics": server("read", "view"),
  "server.proxy.restart": server("write", "infrastructure"),
  "server.resource.list": server("read", "view"),
  "server.transfer": server("write", "transfer"),
  "server.validate": server("write", "infrastructure"),
  "service.list": platform("read", "anyone"),
  "service.read": service("read", "view"),
  "service.secrets": service("sensitive", "secrets"),
  "service.logs": service("read", "view"),
  "service.create": platform("write", "editSomewhere"),
  "service.clone": service("write", "edit"),
  "service.update": service("write", "edit"),
  "service.delete": service("write", "edit"),
  "service.deploy": service("deploy", "operate"),
  "service.deploy.request": service("deploy", "request"),
  "service.metrics": service("read", "view"),
  "service.part.read": servicePart("read", "view"),
  "service.part.update": servicePart("write", "edit"),
  "service.part.deploy": servicePart("deploy", "operate"),
  "service.part.deploy.request": servicePart("deploy", "request"),
  "service.part.logs": servicePart("read", "view"),
  "service.storage.backup.read": serviceStorage("read", "view"),
  "service.storage.backup.update": serviceStorage("write", "edit"),
  "service.storage.backup.delete": serviceStorage("write", "edit"),
  "service.storage.backup.run": serviceStorage("deploy", "operate"),
  "service.storage.backup.restore": serviceStorage("write", "edit"),
  "service.storage.delete": serviceStorage("write", "edit"),
  "service.tag.list": service("read", "view"),
  "service.tag.add": service("write", "edit"),
  "service.tag.remove": serviceTag("write", "edit"),
  "service.task.list": service("read", "view"),
  "service.task.create": service("write", "run"),
  "service.task.update": serviceTask("write", "run"),
  "service.task.delete": serviceTask("write", "edit"),
  "service.task.execute": serviceTask("deploy", "operate"),
  "service.task.executions": serviceTask("read", "view"),
  "service.template.read": platform("read", "anyone"),
  "service.terminal": service("root", "terminal"),
  "service.variable.delete": serviceVariable("write", "edit"),
  "sharedVariable.list": sharedOwner("read", "view"),
  "sharedVariable.create": sharedOwner("write", "edit"),
  "sharedVariable.update": sharedVariable("write", "edit"),
  "sharedVariable.delete": sharedVariable("write", "edit"),
  "settings.read": platform("read", "instance"),
  "settings.update": platform("root", "instance"),
  "tag.list": platform("read", "anyone"),
  "tag.read": tag("read", "member"),
  "tag.create": platform("write", "editSomewhere"),
  "tag.update": tag("write", "edit"),
  "tag.delete": tag("write", "edit"),
  "task.list": application("read", "view"),
  "task.create": application("write", "run"),
  "task.update": task("write", "run"),
  "task.delete": task("write", "edit"),
  "task.execute": task("deploy", "operate"),
  "task.executions": task("read", "view"),
  "teams.read": platform("read", "anyone"),
  "team.audit": team("read", "members"),
  "team.create": platform("root", "instance"),
  "team.delete": team("write", "ownership"),
  "team.group.create": team("write", "members"),
  "team.group.delete": team("write", "members"),
  "team.group.list": team("read", "member"),
  "team.group.member.add": team("write", "members"),
  "team.group.member.remove": team("write", "members"),
  "team.group.update": team("write", "members"),
  "team.member.add": team("root", "instance"),
  "team.member.list": team("read", "member"),
  "team.member.remove": team("write", "members"),
  "team.read": team("read", "member"),
  "team.update": team("write", "ownership"),
  "token.introspect": platform("anyone", "anyone"),
  "token.list": platform("root", "ownership"),
  "token.read": token("root", "ownership"),
  "token.create": platform("mint", "ownership"),
  "token.revoke": token("root", "ownership"),
  "version.read": platform("anyone", "anyone")
} as const satisfies Record<string, ActionRow>

/** The name of an action. */
export type Action = keyof typeof actions

/** The resource type of an action. */
export type KindOf<A extends Action> = (typeof actions)[A] extends ActionRow<infer K> ? K : never

/** Returns the resource type and the access rules of an action. */
export const rowOf = (action: Action): ActionRow => actions[action]
