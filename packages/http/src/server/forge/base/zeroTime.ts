/** Go's zero time, which stands for "no time" in required fields. */
export const zeroTime = "0001-01-01T00:00:00Z"
