import { decide, installed, noMembership, ordinary } from "@slipway/domain/forge"

const facts = {
  ...installed,
  ...ordinary,
  ...noMembership,
  organizationVisibility: "private",
  organizationMember: true
} as const

export const reading = decide("organization.read", facts)
export const editing = decide("organization.edit", facts)
