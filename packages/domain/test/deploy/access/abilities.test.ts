import { describe, expect, it } from "@effect/vitest"
import { type Ability, abilities, abilityFactsOf } from "@slipway/domain/deploy/access"
import {
  type Action,
  actions,
  authorize,
  type Caller,
  decideAccess,
  isSuspended,
  may,
  NotAuthorized,
  notAuthorized,
  requireApi,
  system
} from "@slipway/domain/deploy/entry"
import { Effect, Exit } from "effect"

/** Abilities that satisfy the requirement in the first column (decision "Bearer tokens"). */
const enough: Readonly<Record<string, ReadonlyArray<Ability>>> = {
  anyone: ["read", "read:sensitive", "write", "deploy", "root"],
  read: ["read", "read:sensitive", "root"],
  sensitive: ["read:sensitive", "root"],
  write: ["write", "root"],
  deploy: ["deploy", "root"],
  account: [],
  accountRoot: [],
  session: [],
  root: ["root"],
  mint: ["root"]
}

/** The message of a refusal. */
const told: Readonly<Record<string, string>> = {
  read: "tokens with `read`, `read:sensitive` or `root` may",
  sensitive: "tokens with `read:sensitive` or `root` may",
  write: "tokens with `write` or `root` may",
  deploy: "tokens with `deploy` or `root` may",
  account: "sessions and tokens of an account may",
  accountRoot: "sessions and tokens of an account with `root` may",
  session: "sessions may, because a token must not extend itself",
  root: "tokens with `root` may",
  mint: "tokens with `root` may, but not those of an account, because a token must not extend itself"
}

/** Every action with its required ability and its resource type. */
const table = `
  access.check                read       platform
  access.explain              read       platform
  access.objects              read       platform
  access.subjects             read       team
  access.watch                read       team
  account.list                root       platform
  account.read                root       account
  account.create              root       platform
  account.update              root       account
  account.own                 account    platform
  account.password            session    platform
  account.identity.link       session    platform
  account.identity.unlink     session    platform
  account.session.list        accountRoot  platform
  account.session.end         session    platform
  account.token.list          account    platform
  account.token.create        session    platform
  account.token.revoke        session    platform
  api.enable                  root       platform
  api.disable                 root       platform
  application.list            read       platform
  application.read            read       application
  application.secrets         sensitive  application
  application.logs            read       application
  application.create          write      platform
  application.clone           write      application
  application.update          write      application
  application.delete          write      application
  application.deploy          deploy     application
  application.deploy.request  deploy     application
  application.health.check    deploy     application
  application.deployer.list   read       application
  application.plan            read       application
  application.apply           write      application
  application.deployment.list read       application
  application.metrics         read       application
  application.preview.list    read       application
  application.preview.delete  write      application
  application.storage.backup.read  read  storage
  application.storage.backup.update  write  storage
  application.storage.backup.delete  write  storage
  application.storage.backup.run  deploy  storage
  application.storage.backup.restore  write  storage
  application.storage.delete  write      storage
  application.tag.list        read       application
  application.tag.add         write      application
  application.tag.remove      write      applicationTag
  application.terminal        root       application
  application.variable.delete write      variable
  database.list               read       platform
  database.read               read       database
  database.secrets            sensitive  database
  database.logs               read       database
  database.create             write      platform
  database.clone              write      database
  database.update             write      database
  database.delete             write      database
  database.deploy             deploy     database
  database.backup.list        read       database
  database.backup.create      write      database
  database.backup.update      write      databaseBackup
  database.backup.delete      write      databaseBackup
  database.backup.executions  read       databaseBackup
  database.backup.execution.delete  write  databaseBackupRun
  database.backup.execution.restore  write  databaseBackupRun
  database.metrics            read       database
  database.restore            write      database
  database.restore.list       read       database
  database.storage.backup.read  read  databaseStorage
  database.storage.backup.update  write  databaseStorage
  database.storage.backup.delete  write  databaseStorage
  database.storage.backup.run  deploy  databaseStorage
  database.storage.backup.restore  write  databaseStorage
  database.storage.delete     write      databaseStorage
  database.tag.list           read       database
  database.tag.add            write      database
  database.tag.remove         write      databaseTag
  database.terminal           root       database
  database.variable.delete    write      databaseVariable
  deletion.list               read       platform
  deletion.read               read       deletion
  delivery.list               read       application
  delivery.read               read       delivery
  deployment.list             read       platform
  deployment.create           deploy     platform
  deployment.read             read       deployment
  deployment.approve          deploy     deployment
  deployment.cancel           deploy     deployment
  deployment.reject           deploy     deployment
  destination.list            read       platform
  destination.read            read       destination
  destination.create          write      server
  destination.update          write      destination
  destination.delete          write      destination
  environment.list            read       project
  environment.read            read       environment
  environment.deployer.list   read       environment
  environment.create          write      project
  environment.build.detect    write      environment
  environment.protect         write      environment
  environment.update          write      environment
  environment.delete          write      environment
  forgeApp.list               read       platform
  forgeApp.read               read       forgeApp
  forgeApp.create             write      platform
  forgeApp.update             write      forgeApp
  forgeApp.delete             write      forgeApp
  forgeConnection.list        read       platform
  forgeConnection.read        read       forgeConnection
  forgeConnection.create      root       platform
  forgeConnection.update      root       forgeConnection
  forgeConnection.disconnect  root       forgeConnection
  forgeConnection.rotate      root       forgeConnection
  forgeConnection.delete      root       forgeConnection
  gitlabApp.list              read       platform
  gitlabApp.read              read       gitlabApp
  gitlabApp.create            write      platform
  gitlabApp.update            write      gitlabApp
  gitlabApp.delete            write      gitlabApp
  grant.list                  read       team
  grant.create                write      team
  grant.read                  read       grant
  grant.delete                write      grant
  hostKey.forget              write      platform
  hostKey.read                read       platform
  invitation.accept           write      invitation
  invitation.create           write      team
  invitation.delete           write      invitation
  invitation.list             read       team
  invitation.own              read       platform
  key.list                    read       platform
  key.read                    read       key
  key.create                  write      platform
  key.describe                write      platform
  key.update                  write      key
  key.delete                  write      key
  mcp.enable                  root       platform
  mcp.disable                 root       platform
  notification.read           read       platform
  notification.secrets        sensitive  platform
  notification.update         write      platform
  notification.test           write      platform
  project.list                read       platform
  project.read                read       project
  project.create              write      platform
  project.update              write      project
  project.delete              write      project
  registry.list               read       platform
  registry.read               read       registry
  registry.create             write      platform
  registry.update             write      registry
  registry.delete             write      registry
  resource.create             write      placement
  resource.move               write      placement
  resource.read               read       platform
  role.list                   read       team
  role.create                 write      team
  role.read                   read       role
  role.update                 write      role
  role.delete                 write      role
  s3Storage.list              read       platform
  s3Storage.read              read       s3Storage
  s3Storage.create            write      platform
  s3Storage.update            write      s3Storage
  s3Storage.delete            write      s3Storage
  s3Storage.validate          write      s3Storage
  server.list                 read       platform
  server.read                 read       server
  server.create               write      platform
  server.update               write      server
  server.delete               write      server
  server.cleanup.list         read       server
  server.cleanup.run          write      server
  server.destination.list     read       server
  server.export               sensitive  server
  server.import               write      platform
  server.logDrain.read        read       server
  server.metrics              read       server
  server.proxy.restart        write      server
  server.resource.list        read       server
  server.transfer             write      server
  server.validate             write      server
  service.list                read       platform
  service.read                read       service
  service.secrets             sensitive  service
  service.logs                read       service
  service.create              write      platform
  service.clone               write      service
  service.update              write      service
  service.delete              write      service
  service.deploy              deploy     service
  service.deploy.request      deploy     service
  service.metrics             read       service
  service.part.read           read       servicePart
  service.part.update         write      servicePart
  service.part.deploy         deploy     servicePart
  service.part.deploy.request  deploy    servicePart
  service.part.logs           read       servicePart
  service.storage.backup.read  read  serviceStorage
  service.storage.backup.update  write  serviceStorage
  service.storage.backup.delete  write  serviceStorage
  service.storage.backup.run  deploy  serviceStorage
  service.storage.backup.restore  write  serviceStorage
  service.storage.delete      write      serviceStorage
  service.tag.list            read       service
  service.tag.add             write      service
  service.tag.remove          write      serviceTag
  service.task.list           read       service
  service.task.create         write      service
  service.task.update         write      serviceTask
  service.task.delete         write      serviceTask
  service.task.execute        deploy     serviceTask
  service.task.executions     read       serviceTask
  service.template.read       read       platform
  service.terminal            root       service
  service.variable.delete     write      serviceVariable
  sharedVariable.list         read       sharedOwner
  sharedVariable.create       write      sharedOwner
  sharedVariable.update       write      sharedVariable
  sharedVariable.delete       write      sharedVariable
  settings.read               read       platform
  settings.update             root       platform
  tag.list                    read       platform
  tag.read                    read       tag
  tag.create                  write      platform
  tag.update                  write      tag
  tag.delete                  write      tag
  task.list                   read       application
  task.create                 write      application
  task.update                 write      task
  task.delete                 write      task
  task.execute                deploy     task
  task.executions             read       task
  teams.read                  read       platform
  team.audit                  read       team
  team.create                 root       platform
  team.delete                 write      team
  team.group.create           write      team
  team.group.delete           write      team
  team.group.list             read       team
  team.group.member.add       write      team
  team.group.member.remove    write      team
  team.group.update           write      team
  team.member.add             root       team
  team.member.list            read       team
  team.member.remove          write      team
  team.read                   read       team
  team.update                 write      team
  token.introspect            anyone     platform
  token.list                  root       platform
  token.read                  root       token
  token.create                mint       platform
  token.revoke                root       token
  version.read                anyone     platform
`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/) as [Action, string, string])

// Roles are tested elsewhere: this caller has all of them.
const holding = (...held: ReadonlyArray<Ability>): Caller => ({
  tokenUuid: "t",
  abilities: held,
  accountUuid: null,
  access: "everything"
})

/** Returns the status of an action on a resource; `200` when it is allowed. */
const answer = (action: Action, held: ReadonlyArray<Ability>, found: object | undefined) => {
  const decided = decideAccess(holding(...held), action, found as never)
  return decided.allowed ? 200 : decided.answer.status
}

describe("token abilities", () => {
  it("become facts, and belong to no account and no session by default", () => {
    expect(abilityFactsOf(["read", "read:sensitive", "deploy"])).toEqual({
      read: true,
      sensitive: true,
      write: false,
      deploy: true,
      root: false,
      account: false,
      session: false
    })
    expect(abilityFactsOf(["write", "root"], { account: true, session: false })).toEqual({
      read: false,
      sensitive: false,
      write: true,
      deploy: false,
      root: true,
      account: true,
      session: false
    })
  })

  it("cover every action", () => {
    expect(abilities).toEqual(["read", "read:sensitive", "write", "deploy", "root"])
    expect(
      Object.keys(actions),
      "list each action of packages/domain/src/deploy/entry/access/actions.ts in `table` of packages/domain/test/deploy/access/abilities.test.ts, in the same order"
    ).toEqual(table.map(([action]) => action))
  })

  for (const [action, asks, on] of table) {
    it(`${action} requires ${asks} on ${on}`, () => {
      const may200 = (held: Ability) => enough[asks]?.includes(held) === true
      const thing = { [on]: {}, application: undefined, project: {}, environment: {}, place: { teamId: 0 } }
      // A resource of an application, database, project or service must carry its placement.
      const found =
        ["application", "applicationTag", "storage", "task", "variable"].includes(on) || on.startsWith("service")
          ? { ...thing, application: { placement: {} } }
          : { ...thing, ...(on.startsWith("database") ? { database: { placement: {} } } : {}) }
      expect(abilities.map((held) => answer(action, [held], found))).toEqual(
        abilities.map((held) => (may200(held) ? 200 : 403))
      )
      expect(abilities.map((held) => may(holding(held), action))).toEqual(abilities.map(may200))
      expect(answer(action, [], found)).toBe(asks === "anyone" ? 200 : 403)
      if (on !== "platform") {
        expect(abilities.map((held) => answer(action, [held], undefined))).toEqual(
          abilities.map((held) => (may200(held) ? 404 : 403))
        )
      } else expect(answer(action, ["root"], {})).toBe(enough[asks]?.includes("root") === true ? 200 : 403)
      if (asks !== "anyone") {
        expect(notAuthorized(action)).toMatchObject({ action, rule: asks, because: told[asks] })
        expect(decideAccess(holding(), action, found as never)).toMatchObject({
          allowed: false,
          check: asks,
          answer: { status: 403, message: told[asks] }
        })
      }
    })
  }
})

describe("callers with an account", () => {
  const account = { uuid: "a" } as never
  const session = { uuid: "s" } as never

  for (const [action, asks] of table) {
    it(`${action} requires ${asks} of an account without abilities`, () => {
      const byToken: Caller = { ...holding(), account }
      const bySession: Caller = { ...byToken, session }
      const allowed = [holding(), byToken, bySession].map((caller) => may(caller, action))
      if (asks === "anyone") expect(allowed).toEqual([true, true, true])
      else expect(allowed).toEqual([false, asks === "account", asks === "account" || asks === "session"])
    })
  }

  it("list sessions by a session, or by a token with `root`", () => {
    const byToken = (...held: ReadonlyArray<Ability>): Caller => ({ ...holding(...held), account })
    expect(abilities.map((each) => may(byToken(each), "account.session.list"))).toEqual([
      false,
      false,
      false,
      false,
      true
    ])
    // A session has every ability of its account.
    expect(may({ ...byToken("root"), session }, "account.session.list")).toBe(true)
    expect(may(holding("root"), "account.session.list")).toBe(false)
  })

  it("create tokens only by a session, because a token must not extend itself", () => {
    const byToken: Caller = { ...holding("root"), account }
    const bySession: Caller = { ...byToken, session }
    expect([holding("root"), byToken, bySession].map((caller) => may(caller, "token.create"))).toEqual([
      true,
      false,
      true
    ])
  })
})

describe("the disabled API", () => {
  it("rejects every action of a token but the one that enables the API", () => {
    const disabled = { ...holding("root"), isApiDisabled: true }
    expect([isSuspended(disabled, "project.list"), isSuspended(disabled, "api.enable")]).toEqual([true, false])
    expect(Effect.runSync(Effect.flip(requireApi(disabled, "api.disable")))).toEqual(
      new NotAuthorized({ action: "api.disable", rule: "api-enabled", because: "the API is disabled" })
    )
    expect(Effect.runSync(requireApi(disabled, "api.enable"))).toBeUndefined()
  })

  it("is enabled by default", () => {
    expect(isSuspended(holding("root"), "project.list")).toBe(false)
    expect(isSuspended({ ...holding("root"), isApiDisabled: false }, "project.list")).toBe(false)
    expect(Effect.runSync(requireApi(holding("root"), "project.list"))).toBeUndefined()
  })
})

describe("authorize", () => {
  it("returns a proof with the caller for an allowed action, and the missing rule for a denied one", () => {
    const project = { uuid: "p" } as never
    const proof = Effect.runSync(authorize(holding("read"), "project.read", { project }))
    expect(proof.resource).toEqual({ caller: holding("read"), project: { uuid: "p" } })
    const refused = Effect.runSyncExit(authorize(holding("read"), "project.delete", { project }))
    expect(Exit.isFailure(refused) && JSON.stringify(refused)).toContain("tokens with `write` or `root` may")
    expect(Effect.runSync(authorize(holding("read"), "project.list")).allowed).toBe(true)
  })

  it("allows the platform itself every action", () => {
    expect(system("token.create").resource).toEqual({
      caller: { tokenUuid: "system", abilities: ["root"], accountUuid: null, access: "everything" }
    })
  })
})
