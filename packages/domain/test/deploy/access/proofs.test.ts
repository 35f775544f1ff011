import { describe, expect, it } from "@effect/vitest"
import { Prover, parseStatements, prove } from "@slipway/access/proof"
import { deployTheory } from "@slipway/domain/deploy/entry"

const prover = new Prover(deployTheory())

const failing = (text: string) =>
  parseStatements(text, prover.theory).map((statement) => prove(prover, statement).failing)

/** The actions on the account of the caller, which no ability of a token allows. */
const own = "account.own, account.password, account.identity.*, account.session.*, account.token.*"

describe("for all tokens and resources of the deployment platform", () => {
  it("I1: a token without abilities may only read the version and describe itself", () => {
    expect(failing("prove never powerless * except token.introspect, version.read\nprove live *")).toEqual([[], []])
    expect(failing("prove never powerless token.introspect, version.read")).toEqual([
      ["token.introspect", "version.read"]
    ])
  })

  it("I5: only a token with `root` creates, lists and revokes tokens, and changes settings", () => {
    expect(
      failing(`
        prove never not administrator token.* except token.introspect
        prove never not administrator api.enable, api.disable, settings.update, forgeConnection.create, forgeConnection.update
      `)
    ).toEqual([[], []])
  })

  it("I9: no action is allowed on a missing resource, except actions on the platform", () => {
    const onResources = Object.keys(prover.theory.actions).filter((name) =>
      prover.action(name).policy.checks.some(({ id }) => id === "there")
    )
    expect(onResources.length).toBeGreaterThan(70)
    expect(failing(`prove never not there ${onResources.join(", ")}`)).toEqual([[]])
  })

  it("I13: the ability `root` includes all abilities, and every other ability includes only itself", () => {
    expect(
      failing(`
        prove reader implies administrator on * except ${own}, token.create
        prove writer implies administrator on * except ${own}, token.create
        prove deployer implies administrator on * except ${own}, token.create
        prove never not (writer or administrator) *.create, *.update, *.delete except account.token.create, deployment.create, token.create, forgeConnection.*, settings.update
        prove never not (deployer or administrator) *.deploy, deployment.create, deployment.cancel
        prove never not (sensitive or administrator) *.secrets
        prove never not (reader or administrator) application.read, team.audit
      `)
    ).toEqual([[], [], [], [], [], [], []])
    expect(
      failing(`
        prove never not account account.own, account.session.list, account.token.list
        prove never not session account.password, account.identity.*, account.session.end, account.token.create, account.token.revoke
        prove never account and not session token.create
        prove never not administrator account.list, account.read, account.create, account.update
      `)
    ).toEqual([[], [], [], []])
    expect(failing("prove never not (read or administrator) application.read")).toEqual([["application.read"]])
    expect(prover.theory.usual).toMatchObject({ there: true, view: true, isProtected: false })
    expect(failing("prove deployer implies writer on application.deploy")).toEqual([["application.deploy"]])
  })

  it("a caller without a role does nothing but read what every member reads, and an outsider does nothing", () => {
    expect(
      failing(`
        prove never outsider and not instance *.read except teams.read, resource.read, service.template.read, version.read
        prove never roleless *.update, *.delete, *.deploy, *.secrets, *.create except deployment.create, account.token.create
        prove never isProtected and not operatesHere and not protection *.deploy
        prove never isProtected and not protection *.secrets except notification.secrets
        prove never (not terminal or isProtected and not protection) *.terminal
        prove never not administrator *.terminal
      `)
    ).toEqual([[], [], [], [], [], []])
  })
})
