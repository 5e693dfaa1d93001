/** Numbers that the SMS provider refuses to send to, beside those that opted out in our own records. */
export type OptOutList = {
  /** Puts a number (E.164) on the list; one that is on it stays. */
  put(number: string): Promise<void>;
  /** Takes a number off the list; one that is not on it stays off. */
  remove(number: string): Promise<void>;
};
