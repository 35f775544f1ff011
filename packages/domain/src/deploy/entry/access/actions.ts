import type { RuleId } from "../../access/rules.ts"
import type { ResourceTypeName } from "./resources.ts"

/** An action on a resource type, and the rule that decides it. */
export interface ActionRow<K extends ResourceTypeName = ResourceTypeName, R extends RuleId = RuleId> {
  readonly on: K
  readonly rule: R
}

const on =
  <const K extends ResourceTypeName>(kind: K) =>
  <const R extends RuleId>(rule: R): ActionRow<K, R> => ({ on: kind, rule })

const account = on("account")
const application = on("application")
const applicationTag = on("applicationTag")
const database = on("database")
const databaseBackup = on("databaseBackup")
const databaseBackupRun = on("databaseBackupRun")
const deletion = on("deletion")
const delivery = on("delivery")
const deployment = on("deployment")
const destination = on("destination")
const environment = on("environment")
const forgeApp = on("forgeApp")
const forgeConnection = on("forgeConnection")
const key = on("key")
const project = on("project")
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
 * All actions of the deployment platform, each with the rule that decides it.
 *
 * A row with only a rule applies to the platform; all others apply to the resource in the path.
 */
export const actions = {
  "account.list": "root",
  "account.read": account("root"),
  "account.create": "root",
  "account.update": account("root"),
  "account.own": "account",
  "account.password": "session",
  "account.identity.link": "session",
  "account.identity.unlink": "session",
  "account.session.list": "account",
  "account.session.end": "account",
  "account.token.list": "account",
  "account.token.create": "session",
  "account.token.revoke": "account",
  "application.list": "read",
  "application.read": application("read"),
  "application.secrets": application("sensitive"),
  "application.logs": application("read"),
  "application.create": "write",
  "application.clone": application("write"),
  "application.update": application("write"),
  "application.delete": application("write"),
  "application.deploy": application("deploy"),
  "application.plan": application("read"),
  "application.apply": application("write"),
  "application.deployment.list": application("read"),
  "application.preview.list": application("read"),
  "application.preview.delete": application("write"),
  "application.storage.delete": storage("write"),
  "application.tag.list": application("read"),
  "application.tag.add": application("write"),
  "application.tag.remove": applicationTag("write"),
  "application.variable.delete": variable("write"),
  "database.list": "read",
  "database.read": database("read"),
  "database.secrets": database("sensitive"),
  "database.logs": database("read"),
  "database.create": "write",
  "database.update": database("write"),
  "database.delete": database("write"),
  "database.deploy": database("deploy"),
  "database.backup.list": database("read"),
  "database.backup.create": database("write"),
  "database.backup.update": databaseBackup("write"),
  "database.backup.delete": databaseBackup("write"),
  "database.backup.executions": databaseBackup("read"),
  "database.backup.execution.delete": databaseBackupRun("write"),
  "deletion.list": "read",
  "deletion.read": deletion("read"),
  "delivery.list": application("read"),
  "delivery.read": delivery("read"),
  "deployment.list": "read",
  "deployment.create": "deploy",
  "deployment.read": deployment("read"),
  "deployment.cancel": deployment("deploy"),
  "destination.list": "read",
  "destination.read": destination("read"),
  "destination.create": server("write"),
  "destination.update": destination("write"),
  "destination.delete": destination("write"),
  "environment.list": project("read"),
  "environment.read": environment("read"),
  "environment.create": project("write"),
  "environment.update": environment("write"),
  "environment.delete": environment("write"),
  "forgeApp.list": "read",
  "forgeApp.read": forgeApp("read"),
  "forgeApp.create": "write",
  "forgeApp.update": forgeApp("write"),
  "forgeApp.delete": forgeApp("write"),
  "forgeConnection.list": "read",
  "forgeConnection.read": forgeConnection("read"),
  "forgeConnection.create": "root",
  "forgeConnection.update": forgeConnection("root"),
  "forgeConnection.disconnect": forgeConnection("root"),
  "forgeConnection.delete": forgeConnection("root"),
  "hostKey.forget": "write",
  "hostKey.read": "read",
  "key.list": "read",
  "key.read": key("read"),
  "key.create": "write",
  "key.describe": "write",
  "key.update": key("write"),
  "key.delete": key("write"),
  "notification.read": "read",
  "notification.secrets": "sensitive",
  "notification.update": "write",
  "notification.test": "write",
  "project.list": "read",
  "project.read": project("read"),
  "project.create": "write",
  "project.update": project("write"),
  "project.delete": project("write"),
  "resource.read": "read",
  "s3Storage.list": "read",
  "s3Storage.read": s3Storage("read"),
  "s3Storage.create": "write",
  "s3Storage.update": s3Storage("write"),
  "s3Storage.delete": s3Storage("write"),
  "s3Storage.validate": s3Storage("write"),
  "server.list": "read",
  "server.read": server("read"),
  "server.create": "write",
  "server.update": server("write"),
  "server.delete": server("write"),
  "server.cleanup.list": server("read"),
  "server.cleanup.run": server("write"),
  "server.destination.list": server("read"),
  "server.proxy.restart": server("write"),
  "server.validate": server("write"),
  "service.list": "read",
  "service.read": service("read"),
  "service.secrets": service("sensitive"),
  "service.logs": service("read"),
  "service.create": "write",
  "service.clone": service("write"),
  "service.update": service("write"),
  "service.delete": service("write"),
  "service.deploy": service("deploy"),
  "service.part.read": servicePart("read"),
  "service.part.update": servicePart("write"),
  "service.part.deploy": servicePart("deploy"),
  "service.part.logs": servicePart("read"),
  "service.storage.delete": serviceStorage("write"),
  "service.tag.list": service("read"),
  "service.tag.add": service("write"),
  "service.tag.remove": serviceTag("write"),
  "service.task.list": service("read"),
  "service.task.create": service("write"),
  "service.task.update": serviceTask("write"),
  "service.task.delete": serviceTask("write"),
  "service.task.execute": serviceTask("deploy"),
  "service.task.executions": serviceTask("read"),
  "service.template.read": "read",
  "service.variable.delete": serviceVariable("write"),
  "sharedVariable.list": sharedOwner("read"),
  "sharedVariable.create": sharedOwner("write"),
  "sharedVariable.update": sharedVariable("write"),
  "sharedVariable.delete": sharedVariable("write"),
  "settings.read": "read",
  "settings.update": "root",
  "tag.list": "read",
  "tag.read": tag("read"),
  "tag.create": "write",
  "tag.update": tag("write"),
  "tag.delete": tag("write"),
  "task.list": application("read"),
  "task.create": application("write"),
  "task.update": task("write"),
  "task.delete": task("write"),
  "task.execute": task("deploy"),
  "task.executions": task("read"),
  "teams.read": "read",
  "team.read": team("read"),
  "token.introspect": "anyone",
  "token.list": "root",
  "token.read": token("root"),
  "token.create": "root",
  "token.revoke": token("root"),
  "version.read": "anyone"
} as const satisfies Record<string, RuleId | ActionRow>

/** The name of an action. */
export type Action = keyof typeof actions

/** The resource type of an action. */
export type KindOf<A extends Action> = (typeof actions)[A] extends ActionRow<infer K> ? K : "platform"

/** Returns the resource type of an action, and the rule that decides it. */
export const rowOf = (action: Action): ActionRow => {
  const row: RuleId | ActionRow = actions[action]
  return typeof row === "string" ? { on: "platform", rule: row } : row
}
