/** Whether visitors can create accounts: no; yes; or yes, but an administrator must activate each account. */
export const registrationModes = ["off", "on", "approval"] as const
export type RegistrationMode = (typeof registrationModes)[number]
