/** Which letters with news a user wants: all, those that are for them in person, all and those of their own doing, or none. */
export const emailNotifications = ["enabled", "onmention", "andyourown", "disabled"] as const

export type EmailNotifications = (typeof emailNotifications)[number]
