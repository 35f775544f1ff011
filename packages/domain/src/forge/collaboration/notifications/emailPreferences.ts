import type { EmailNotifications } from "../../base/settings/emailNotifications.ts"

import type { EmailReceiver } from "./NotificationEvent.ts"

type Tie = Pick<EmailReceiver, "because" | "personal">

const isOwn = ({ because }: Tie): boolean => because === "your_activity"

const rules: Readonly<Record<EmailNotifications, (tie: Tie) => boolean>> = {
  enabled: (tie) => !isOwn(tie),
  onmention: (tie) => tie.personal && !isOwn(tie),
  andyourown: () => true,
  disabled: () => false
}

/**
 * Returns whether a user wants a notification email, according to their settings.
 *
 * @example
 * wantsNotificationEmail("onmention", { because: "subscribed", personal: false }) // => false
 * wantsNotificationEmail("andyourown", { because: "your_activity", personal: false }) // => true
 */
export const wantsNotificationEmail = (preference: EmailNotifications, tie: Tie): boolean => rules[preference](tie)
