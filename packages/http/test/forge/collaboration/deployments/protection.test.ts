import { describe, expect, it } from "@effect/vitest"
import { Transaction } from "@slipway/domain"
import { Deployments } from "@slipway/forge/collaboration"
import { Entry } from "@slipway/forge/entry"
import { Effect } from "effect"
import { basic } from "../../support/harness.ts"
import { ann, bob, commitTo, kindsOfGit, makeRepository, withPeople } from "../../support/repositories.ts"

const base = "/repos/ann/app"
const cat = { headers: basic("cat") }

const made = Effect.gen(function* () {
  const api = yield* withPeople(kindsOfGit[0][1])
  const id = yield* makeRepository(api, "app")
  const commit = yield* commitTo(api, id, { a: "a" })
  yield* api.user("cat")
  const idOf = (name: string) => Effect.map(api.ask(200, "GET", `/users/${name}`, ann), (user) => user.id as number)
  const protect = (body: object, environment = "production") =>
    api.ask(200, "PUT", `${base}/environments/${environment}`, { ...ann, body })
  const deploy = (body: object = {}) =>
    api.ask(201, "POST", `${base}/deployments`, { ...ann, body: { ref: "main", ...body } })
  return { api, id, commit, idOf, protect, deploy }
})

const user = (id: number) => ({ type: "User", id })

describe("an environment", () => {
  it.live("has a protection in GitHub's shape, which an administrator sets, replaces and deletes", () =>
    Effect.gen(function* () {
      const { api, idOf, protect } = yield* made
      const bobId = yield* idOf("bob")
      const set = yield* protect({
        wait_timer: 30,
        prevent_self_review: true,
        reviewers: [user(bobId)],
        deployment_branch_policy: { protected_branches: true, custom_branch_policies: false }
      })
      expect(set).toEqual({
        id: set.id,
        name: "production",
        url: expect.stringMatching(/\/api\/v1\/repos\/ann\/app\/environments\/production$/),
        protection_rules: [
          { type: "wait_timer", wait_timer: 30 },
          {
            type: "required_reviewers",
            prevent_self_review: true,
            reviewers: [{ type: "User", reviewer: { id: bobId, login: "bob" } }]
          },
          { type: "branch_policy" }
        ],
        deployment_branch_policy: { protected_branches: true, custom_branch_policies: false },
        created_at: expect.any(String),
        updated_at: expect.any(String)
      })
      expect(yield* api.ask(200, "GET", `${base}/environments/Production`, bob)).toEqual(set)
      const open = yield* protect({}, "PRODUCTION")
      expect([open.id, open.name, open.protection_rules, open.deployment_branch_policy]).toEqual([
        set.id,
        "production",
        [],
        null
      ])
      const { environments } = yield* api.ask(200, "GET", `${base}/environments`, bob)
      expect(environments).toEqual([open])
      yield* api.ask(204, "DELETE", `${base}/environments/production`, ann)
      yield* api.ask(404, "GET", `${base}/environments/production`, ann)
      yield* api.ask(404, "DELETE", `${base}/environments/production`, ann)
    })
  )

  it.live("takes only existing reviewers, at most six, and known branch policies; only from administrators", () =>
    Effect.gen(function* () {
      const { api, idOf, protect } = yield* made
      const path = `${base}/environments/production`
      const refusal = (body: object) =>
        Effect.map(api.ask(422, "PUT", path, { ...ann, body }), ({ message }) => message)
      expect(yield* refusal({ reviewers: [user(4_711)] })).toContain("there is no user with the id 4711")
      expect(yield* refusal({ reviewers: [{ type: "Team", id: 1 }] })).toContain("has no team with the id 1")
      expect(yield* refusal({ reviewers: Array.from({ length: 7 }, () => user(1)) })).toContain("at most 6")
      expect(yield* refusal({ wait_timer: 43_201 })).toContain("must be 0 to 43200 minutes")
      expect(
        yield* refusal({ deployment_branch_policy: { protected_branches: true, custom_branch_policies: true } })
      ).toContain("must have exactly one true field")
      yield* api.ask(404, "GET", path, ann)
      yield* api.ask(403, "PUT", path, { ...bob, body: {} })
      yield* protect({ reviewers: [user(yield* idOf("bob"))] })
      yield* api.ask(403, "DELETE", path, bob)
      yield* makeRepository(api, "hidden", { private: true })
      yield* api.ask(404, "GET", "/repos/ann/hidden/environments/production", bob)
      yield* api.ask(404, "PUT", "/repos/ann/hidden/environments/production", { ...bob, body: {} })
    })
  )
})

describe("a deployment to a protected environment", () => {
  it.live("waits until a reviewer approves it, and then progresses", () =>
    Effect.gen(function* () {
      const { api, commit, deploy, idOf, protect } = yield* made
      const bobId = yield* idOf("bob")
      yield* protect({ reviewers: [user(bobId)] })
      const { approval, id } = yield* deploy()
      expect(approval).toEqual({ state: "waiting", current_user_can_approve: false })
      const statuses = `${base}/deployments/${id}/statuses`
      const refused = yield* api.ask(409, "POST", statuses, { ...ann, body: { state: "in_progress" } })
      expect(refused.message).toBe("the deployment waits for the protection of the environment `production`")
      yield* api.ask(201, "POST", statuses, { ...ann, body: { state: "pending" } })
      const path = `${base}/deployments/${id}/approval`
      const waiting = yield* api.ask(200, "GET", path, bob)
      expect(waiting).toEqual({
        environment: { name: "production", url: expect.stringMatching(/\/environments\/production$/) },
        state: "waiting",
        wait_timer: 0,
        wait_timer_started_at: expect.any(String),
        waiting_until: null,
        current_user_can_approve: true,
        reviewers: [{ type: "User", reviewer: { id: bobId, login: "bob" } }],
        review: null
      })
      const body = { state: "approved", comment: "ship it" }
      const notReviewer = yield* api.ask(403, "POST", path, { ...ann, body })
      expect(notReviewer.message).toBe("only reviewers of the environment can review its deployments")
      const approved = yield* api.ask(200, "POST", path, { ...bob, body })
      expect([approved.state, approved.current_user_can_approve, approved.review.user.login]).toEqual([
        "approved",
        false,
        "bob"
      ])
      expect([approved.review.state, approved.review.comment]).toEqual(["approved", "ship it"])
      const again = yield* api.ask(409, "POST", path, { ...bob, body: { state: "rejected" } })
      expect(again.message).toBe("the deployment was already reviewed")
      yield* api.ask(201, "POST", statuses, { ...ann, body: { state: "in_progress" } })
      const [listed] = yield* api.ask(200, "GET", `${base}/deployments`, bob)
      expect([listed.sha, listed.state, listed.approval]).toEqual([
        commit,
        "in_progress",
        { state: "approved", current_user_can_approve: false }
      ])
    })
  )

  it.live("is checked in the transaction that writes: a rule that is set meanwhile counts", () =>
    Effect.gen(function* () {
      const { api, deploy, idOf, protect } = yield* made
      const reviewers = [user(yield* idOf("bob"))]
      const { id } = yield* deploy()
      const about = { kind: "repository", owner: "ann", repository: "app" } as const
      /** Runs a use case; the rules are set after its checks outside of a transaction, and before the transaction. */
      const meanwhile = <A, E, R>(useCase: Effect.Effect<A, E, R>, body: object) =>
        Effect.gen(function* () {
          const transaction = yield* Transaction
          const run: typeof transaction.run = (effect) =>
            Effect.andThen(Effect.provideService(protect(body), Transaction, transaction), transaction.run(effect))
          return yield* Effect.flip(Effect.provideService(useCase, Transaction, { ...transaction, run }))
        })
      const refused = yield* api.within(
        Effect.gen(function* () {
          const proof = yield* Entry.authorize("repository.deployment.status.create", yield* Entry.actAs("ann", about))
          return yield* meanwhile(Deployments.addStatus(proof, id, { state: "success" }), { reviewers })
        })
      )
      expect(refused).toMatchObject({ _tag: "DeploymentNotApproved", state: "waiting" })
      expect(yield* api.ask(200, "GET", `${base}/deployments/${id}/statuses`, ann)).toEqual([])
      yield* protect({})
      const policy = { protected_branches: true, custom_branch_policies: false }
      const notDeployable = yield* api.within(
        Effect.gen(function* () {
          const proof = yield* Entry.authorize("repository.deployment.create", yield* Entry.actAs("ann", about))
          return yield* meanwhile(Deployments.create(proof, { ref: "main" }), { deployment_branch_policy: policy })
        })
      )
      expect(notDeployable).toMatchObject({ _tag: "RefNotDeployable", ref: "main" })
      expect((yield* api.ask(200, "GET", `${base}/deployments`, ann)).length).toBe(1)
    })
  )

  it.live("never runs after a rejection", () =>
    Effect.gen(function* () {
      const { api, deploy, idOf, protect } = yield* made
      yield* protect({ reviewers: [user(yield* idOf("bob"))] })
      const { id } = yield* deploy()
      yield* api.ask(200, "POST", `${base}/deployments/${id}/approval`, { ...bob, body: { state: "rejected" } })
      const statuses = `${base}/deployments/${id}/statuses`
      const { message } = yield* api.ask(409, "POST", statuses, { ...ann, body: { state: "success" } })
      expect(message).toBe("a reviewer of the environment `production` rejected the deployment")
      yield* api.ask(201, "POST", statuses, { ...ann, body: { state: "failure" } })
      // A deployment to another environment, and one without protection, need no review.
      expect((yield* deploy({ environment: "staging" })).approval.state).toBe("approved")
      yield* protect({})
      expect((yield* deploy()).approval.state).toBe("approved")
    })
  )

  it.live("waits for the minutes of its environment", () =>
    Effect.gen(function* () {
      const { api, deploy, protect } = yield* made
      yield* protect({ wait_timer: 5 })
      const { approval, id } = yield* deploy()
      expect(approval.state).toBe("waiting")
      const read = api.ask(200, "GET", `${base}/deployments/${id}/approval`, ann)
      const { waiting_until, wait_timer_started_at } = yield* read
      expect(Date.parse(waiting_until) - Date.parse(wait_timer_started_at)).toBe(300_000)
      const statuses = `${base}/deployments/${id}/statuses`
      yield* api.ask(409, "POST", statuses, { ...ann, body: { state: "in_progress" } })
      yield* protect({ wait_timer: 0 })
      expect([(yield* read).state, (yield* read).waiting_until]).toEqual(["approved", null])
      yield* api.ask(201, "POST", statuses, { ...ann, body: { state: "in_progress" } })
    })
  )

  it.live("is reviewed by members of a team, while they read the repository", () =>
    Effect.gen(function* () {
      const { api } = yield* made
      yield* api.ask(201, "POST", "/orgs", { ...ann, body: { username: "acme" } })
      const repository = yield* api.ask(201, "POST", "/orgs/acme/repos", {
        ...ann,
        body: { name: "app", private: true, auto_init: true, default_branch: "main" }
      })
      const team = yield* api.ask(201, "POST", "/orgs/acme/teams", {
        ...ann,
        body: { name: "Release_managers", units_map: { "repo.code": "read" } }
      })
      yield* api.ask(204, "PUT", `/teams/${team.id}/members/bob`, ann)
      yield* api.ask(204, "PUT", `/teams/${team.id}/repos/acme/app`, ann)
      const { protection_rules } = yield* api.ask(200, "PUT", "/repos/acme/app/environments/production", {
        ...ann,
        body: { reviewers: [{ type: "Team", id: team.id }] }
      })
      expect(protection_rules[0].reviewers).toEqual([
        { type: "Team", reviewer: { id: team.id, name: "Release_managers", slug: "release-managers" } }
      ])
      expect(repository.full_name).toBe("acme/app")
      const deploy = Effect.map(
        api.ask(201, "POST", "/repos/acme/app/deployments", { ...ann, body: { ref: "main" } }),
        ({ id }) => `/repos/acme/app/deployments/${id}/approval`
      )
      const [one, two] = [yield* deploy, yield* deploy]
      const body = { state: "approved" }
      yield* api.ask(404, "POST", one, { ...cat, body })
      expect((yield* api.ask(200, "POST", one, { ...bob, body })).state).toBe("approved")
      yield* api.ask(204, "DELETE", `/teams/${team.id}/members/bob`, ann)
      yield* api.ask(404, "POST", two, { ...bob, body })
      yield* api.ask(204, "PUT", "/repos/acme/app/collaborators/bob", { ...ann, body: { permission: "write" } })
      yield* api.ask(403, "POST", two, { ...bob, body })
    })
  )

  it.live("is not reviewed by the user who pushed the commit, if the environment prevents it", () =>
    Effect.gen(function* () {
      const { api, idOf, protect } = yield* made
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
      const content = { content: Buffer.from("b").toString("base64"), message: "add b", branch: "main" }
      yield* api.ask(201, "POST", `${base}/contents/b`, { ...bob, body: content })
      const reviewers = [user(yield* idOf("ann")), user(yield* idOf("bob"))]
      yield* protect({ prevent_self_review: true, reviewers })
      const { id } = yield* api.ask(201, "POST", `${base}/deployments`, { ...ann, body: { ref: "main" } })
      const path = `${base}/deployments/${id}/approval`
      expect((yield* api.ask(200, "GET", path, bob)).current_user_can_approve).toBe(false)
      const { message } = yield* api.ask(403, "POST", path, { ...bob, body: { state: "approved" } })
      expect(message).toBe("the environment does not permit reviews of own commits")
      expect((yield* api.ask(200, "POST", path, { ...ann, body: { state: "approved" } })).state).toBe("approved")
    })
  )

  it.live("is not reviewed by a user who may have pushed its commit inside a push", () =>
    Effect.gen(function* () {
      const { api, commit, idOf, protect } = yield* made
      yield* api.ask(204, "PUT", `${base}/collaborators/bob`, { ...ann, body: { permission: "write" } })
      const reviewers = [user(yield* idOf("ann")), user(yield* idOf("bob"))]
      yield* protect({ prevent_self_review: true, reviewers })
      // No push has this commit as its newest one; only bob pushed.
      const content = { content: Buffer.from("b").toString("base64"), message: "add b", branch: "main" }
      yield* api.ask(201, "POST", `${base}/contents/b`, { ...bob, body: content })
      const { id } = yield* api.ask(201, "POST", `${base}/deployments`, { ...ann, body: { ref: "main", sha: commit } })
      const path = `${base}/deployments/${id}/approval`
      const { message } = yield* api.ask(403, "POST", path, { ...bob, body: { state: "approved" } })
      expect(message).toBe("the environment does not permit reviews of own commits")
      expect((yield* api.ask(200, "POST", path, { ...ann, body: { state: "approved" } })).state).toBe("approved")
    })
  )

  it.live("that has begun does not wait for reviewers who were added later", () =>
    Effect.gen(function* () {
      const { api, deploy, idOf, protect } = yield* made
      const { id } = yield* deploy()
      const waiting = yield* deploy()
      yield* api.ask(201, "POST", `${base}/deployments/${id}/statuses`, { ...ann, body: { state: "success" } })
      yield* protect({ reviewers: [user(yield* idOf("bob"))] })
      const approvalOf = (each: number) => api.ask(200, "GET", `${base}/deployments/${each}/approval`, bob)
      expect([(yield* approvalOf(id)).state, (yield* approvalOf(waiting.id)).state]).toEqual(["approved", "waiting"])
      const review = { ...bob, body: { state: "rejected" } }
      const { message } = yield* api.ask(409, "POST", `${base}/deployments/${id}/approval`, review)
      expect(message).toBe("the deployment has begun")
      expect((yield* api.ask(200, "POST", `${base}/deployments/${waiting.id}/approval`, review)).state).toBe("rejected")
    })
  )

  it.live("comes from a protected branch, if the environment demands it", () =>
    Effect.gen(function* () {
      const { api, commit, deploy, protect } = yield* made
      yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "other" } })
      yield* protect({ deployment_branch_policy: { protected_branches: true, custom_branch_policies: false } })
      const refusal = (body: object) =>
        Effect.map(api.ask(422, "POST", `${base}/deployments`, { ...ann, body }), ({ message }) => message)
      const message = "the environment `production` takes protected branches only: `main` is none, or protect it"
      expect(yield* refusal({ ref: "main" })).toContain(message)
      yield* api.ask(201, "POST", `${base}/branch_protections`, { ...ann, body: { rule_name: "main" } })
      expect((yield* deploy({ ref: "main", sha: commit })).sha).toBe(commit)
      expect(yield* refusal({ ref: "other" })).toContain("`other` is none")
      expect(yield* refusal({ ref: commit })).toContain("protected branches only")
      expect((yield* deploy({ ref: "other", environment: "staging" })).approval.state).toBe("approved")
    })
  )

  it.live("has a commit that its ref contains", () =>
    Effect.gen(function* () {
      const { api, commit, deploy, id } = yield* made
      yield* api.ask(201, "POST", `${base}/branches`, { ...ann, body: { new_branch_name: "old" } })
      const newest = yield* commitTo(api, id, { b: "b" })
      expect((yield* deploy({ sha: commit })).sha).toBe(commit)
      expect((yield* deploy({ sha: newest })).sha).toBe(newest)
      yield* api.ask(404, "POST", `${base}/deployments`, { ...ann, body: { ref: "old", sha: newest } })
    })
  )
})
