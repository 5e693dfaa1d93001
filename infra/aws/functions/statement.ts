export type Statement = {
  sid: string;
  actions: readonly string[];
  resources: readonly string[];
  conditions?: Record<string, Record<string, unknown>>;
};
