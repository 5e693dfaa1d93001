/** Numbers blocked by the SMS provider, in addition to the opt-outs in this service's records. */
export type OptOutList = {
  /** Adds a number (E.164) to the list; repeating it has no effect. */
  put(number: string): Promise<void>;
  /** Removes a number from the list; repeating it has no effect. */
  remove(number: string): Promise<void>;
};
