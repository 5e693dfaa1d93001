/** An event of a log, as a bus of EventBridge gets it. */
export type BusEvent = {
  /** Name of the event, such as EMAIL_DELIVERED. */
  detailType: string;
  /** Owners of the event: `account/<id>` and `environment/<id>`. */
  resources: readonly string[];
  /** JSON text: what a webhook is posted. */
  detail: string;
  atMs: number;
};

export type EventBus = {
  /** Publishes events; returns the indexes of events that the bus did not accept. */
  put(events: readonly BusEvent[]): Promise<number[]>;
};
