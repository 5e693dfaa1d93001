export type CdkProgress = {
  /** Reads a line of `cdk deploy --progress events`; one of another kind changes nothing. */
  read(line: string): void;
  /** Returns the stack under way, its resources that are done, and what it is waiting for. */
  text(): string;
};

/** `Api (notifications-dev-api): deploying... [2/5]` */
const STACK = /(?<![\w-])([\w-]+)\)?: deploying\.\.\. \[(\d+)\/(\d+)\]/;
/** `notifications-dev-api | 3/40 | 10:02:03 AM | CREATE_COMPLETE | AWS::IAM::Role | api/Role (Role1234)` */
const EVENT = /^\s*(\S+)\s*\|\s*(\d+)\/(\d+)\s*\|[^|]*\|\s*([A-Z_]+)\s*\|\s*(\S+)\s*\|\s*([^\s(]+)/;

export function createCdkProgress(): CdkProgress {
  let stack: { name: string; place: string } | undefined;
  let resources = '';
  const waiting = new Map<string, string>();

  function begin(name: string, place: string): void {
    stack = { name, place };
    resources = '';
    waiting.clear();
  }

  return {
    read(line) {
      const [, begun, index, count] = STACK.exec(line) ?? [];
      if (begun) begin(begun, ` (${index} of ${count})`);
      const [, name, done, total, status = '', type, resource = ''] = EVENT.exec(line) ?? [];
      if (!name) return;
      if (name !== stack?.name) begin(name, '');
      resources = `: ${done} of ${total} resources`;
      if (status.endsWith('_IN_PROGRESS') && type !== 'AWS::CloudFormation::Stack')
        waiting.set(resource, `${type} ${resource}`);
      else waiting.delete(resource);
    },
    text() {
      if (!stack) return 'the CDK builds the code and the templates';
      const [first] = waiting.values();
      const others = waiting.size > 1 ? ` and ${waiting.size - 1} more` : '';
      return `${stack.name}${stack.place}${resources}${first ? `, waiting for ${first}${others}` : ''}`;
    },
  };
}
