/** The notification emails that a user gets: all, only mentions, all including the user's own actions, or none. */
export const emailNotifications = ["enabled", "onmention", "andyourown", "disabled"] as const
export type EmailNotifications = (typeof emailNotifications)[number]
