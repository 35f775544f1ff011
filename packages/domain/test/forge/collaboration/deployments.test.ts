import { describe, expect, it } from "@effect/vitest"
import { approvalOf, openEnvironment, reviewRefusal } from "@slipway/domain/forge/collaboration"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"

const [ann, bob] = [1 as UserId, 2 as UserId]
const [crew, ops] = [7 as TeamId, 8 as TeamId]
const reviewed = { ...openEnvironment, reviewers: { users: [ann], teams: [crew] } }
const deployment = { createdAt: "2026-01-01T00:00:00.000Z" }
const at = (time: string) => `2026-01-01T00:${time}.000Z`

describe("the approval of a deployment", () => {
  it("is given without rules", () => {
    expect(approvalOf(openEnvironment, deployment, undefined, at("00:00"))).toEqual({
      state: "approved",
      needsReview: false,
      waitsUntil: null
    })
  })

  it("needs one approval, and the whole wait", () => {
    const rules = { ...reviewed, waitMinutes: 5 }
    const waitsUntil = at("05:00")
    expect(approvalOf(rules, deployment, undefined, at("04:59"))).toEqual({
      state: "waiting",
      needsReview: true,
      waitsUntil
    })
    const approved = { decision: "approved" } as const
    expect(approvalOf(rules, deployment, approved, at("04:59"))).toEqual({
      state: "waiting",
      needsReview: false,
      waitsUntil
    })
    expect(approvalOf(rules, deployment, undefined, at("05:00")).state).toBe("waiting")
    expect(approvalOf(rules, deployment, approved, at("05:00")).state).toBe("approved")
  })

  it("is refused for ever by a rejection, also after the rules are gone", () => {
    const rejected = { decision: "rejected" } as const
    const refused = { state: "rejected", needsReview: false, waitsUntil: null }
    expect(approvalOf({ ...reviewed, waitMinutes: 5 }, deployment, rejected, at("01:00"))).toEqual(refused)
    expect(approvalOf(openEnvironment, deployment, rejected, at("01:00"))).toEqual(refused)
  })
})

describe("a review of a deployment", () => {
  it("is open to the named users and the members of the named teams", () => {
    const by = (userId: UserId | undefined, teams: ReadonlyArray<TeamId> = []) =>
      reviewRefusal(reviewed, { userId, teams, isPusher: true })
    expect([by(ann), by(bob, [crew]), by(bob, [ops]), by(bob), by(undefined)]).toEqual([
      undefined,
      undefined,
      "not-reviewer",
      "not-reviewer",
      "not-reviewer"
    ])
  })

  it("excludes the pusher if the environment prevents reviews of own commits", () => {
    const rules = { ...reviewed, preventSelfReview: true }
    expect(reviewRefusal(rules, { userId: ann, teams: [], isPusher: true })).toBe("own-push")
    expect(reviewRefusal(rules, { userId: ann, teams: [], isPusher: false })).toBeUndefined()
    expect(reviewRefusal(rules, { userId: bob, teams: [], isPusher: true })).toBe("not-reviewer")
  })
})
