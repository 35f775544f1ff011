/** The notification emails that a user gets: all, those that name them, all and those about their own actions, or none. */
export const emailNotifications = ["enabled", "onmention", "andyourown", "disabled"] as const
export type EmailNotifications = (typeof emailNotifications)[number]
