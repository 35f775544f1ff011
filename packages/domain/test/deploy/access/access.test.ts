import { describe, expect, it } from "@effect/vitest"
import { conditionsOn, decideOn, Facts as Fact, layoutOf, policy } from "@slipway/access"
import { type AccessFacts, accessVocabulary } from "@slipway/domain/deploy/access"
import type { Application, ProjectUuid } from "@slipway/domain/deploy/apps"
import { type Caller, presence, subjectOf } from "@slipway/domain/deploy/entry"

const [shop, blog] = ["project-of-the-shop", "project-of-the-blog"] as unknown as readonly [ProjectUuid, ProjectUuid]

const applicationIn = (projectUuid: ProjectUuid) => ({
  application: { placement: { projectUuid } } as unknown as Application
})

interface Facts extends AccessFacts {
  readonly invited: boolean
}
const { any, flag: held } = conditionsOn<Facts>()
const vocabulary = { ...accessVocabulary, invited: Fact.flag("invited to its project", "not invited to its project") }

const reading = policy(
  "application.read",
  [
    {
      id: "reading",
      stage: "ability",
      grants: [{ id: "reading", when: any(held("read"), held("invited")), because: "it may" }],
      forbids: [],
      answer: { status: 403, message: "Not here." },
      because: "it must be read"
    },
    presence
  ],
  layoutOf(vocabulary)
)

describe("a rule about the project of a resource", () => {
  const guest: Caller = { tokenUuid: "guest", abilities: [] }
  const reader: Caller = { tokenUuid: "reader", abilities: ["read"] }
  const invitations: Readonly<Record<string, ProjectUuid>> = { guest: shop }
  const inProject = ({ tokenUuid }: Caller, project: ProjectUuid | undefined) => ({
    invited: project !== undefined && invitations[tokenUuid] === project
  })
  const decide = (caller: Caller, found: ReturnType<typeof applicationIn> | undefined) => {
    const decision = decideOn(reading, subjectOf("application", inProject), caller, found)
    return decision.allowed ? decision.resource.application.placement.projectUuid : decision.answer.status
  }

  it("allows a caller in one project and denies the same caller in another project", () => {
    expect([decide(guest, applicationIn(shop)), decide(guest, applicationIn(blog))]).toEqual([shop, 403])
  })

  it("keeps the permissions that a token has in all projects", () => {
    expect([decide(reader, applicationIn(shop)), decide(reader, applicationIn(blog))]).toEqual([shop, blog])
  })

  it("answers 404 for a missing resource to callers with the read ability, and 403 to others", () => {
    expect([decide(guest, undefined), decide(reader, undefined)]).toEqual([403, 404])
  })

  it("is evaluated with the project of each resource in a project", () => {
    const asked: Array<unknown> = []
    const note = (_: Caller, project: ProjectUuid | undefined) => {
      asked.push(project)
      return { invited: false }
    }
    const { application } = applicationIn(shop)
    const of = <K extends Parameters<typeof subjectOf>[0]>(kind: K, found: object) =>
      subjectOf(kind, note).facts(guest, found as never)
    for (const kind of ["storage", "variable", "task", "applicationTag", "deployment", "delivery"] as const)
      of(kind, { application })
    of("project", { project: { uuid: blog } })
    of("environment", { project: { uuid: blog }, environment: {} })
    of("sharedOwner", { owner: {}, projectUuid: blog })
    of("service", { service: {}, application: applicationIn(blog).application })
    for (const kind of ["database", "databaseBackup", "databaseBackupRun"] as const) {
      of(kind, { database: { placement: { projectUuid: blog } } })
    }
    of("deployment", { application: undefined })
    of("server", { server: {} })
    expect(asked).toEqual([
      shop,
      shop,
      shop,
      shop,
      shop,
      shop,
      blog,
      blog,
      blog,
      blog,
      blog,
      blog,
      blog,
      undefined,
      undefined
    ])
  })
})
