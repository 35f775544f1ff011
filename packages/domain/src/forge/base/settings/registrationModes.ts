/** Whether visitors create accounts: not at all, usable immediately, or usable after an administrator activates them. */
export const registrationModes = ["off", "on", "approval"] as const
export type RegistrationMode = (typeof registrationModes)[number]
