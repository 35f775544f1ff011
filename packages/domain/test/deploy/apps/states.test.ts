import { assert, it } from "@effect/vitest"
import { canTransition, DeploymentStatus, hasEnded, isActive } from "@slipway/domain/deploy/apps"

const all = DeploymentStatus.literals

it("a deployment only moves to later states, can be cancelled until the switch, and ends exactly once", () => {
  for (const from of all) {
    for (const to of all) {
      if (!canTransition(from, to)) continue
      assert.isBelow(all.indexOf(from), all.indexOf(to), `${from} to ${to}`)
      assert.isFalse(hasEnded(from))
      if (to === "cancelled") assert.notStrictEqual(from, "switching")
    }
  }
  assert.deepStrictEqual(all.filter(hasEnded), ["finished", "failed", "cancelled"])
  assert.deepStrictEqual(all.filter(isActive), ["preparing", "building", "starting", "checking", "switching"])
})
