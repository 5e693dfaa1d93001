/** A template of CloudFormation, as far as it decides the order of creation. */
export type Template = { Resources?: Record<string, Created> };
type Created = { Type: string; Properties?: unknown; DependsOn?: string | readonly string[] };

/** Seconds that CloudFormation usually takes for a resource, until others may use it. */
const SECONDS: Readonly<Record<string, number>> = {
  'AWS::CloudFormation::Stack': 15,
  'AWS::CloudWatch::Alarm': 8,
  'AWS::DynamoDB::Table': 60,
  'AWS::Events::Rule': 60,
  'AWS::IAM::Role': 18,
  'AWS::KMS::Key': 90,
  'AWS::Lambda::EventInvokeConfig': 15,
  'AWS::Lambda::EventSourceMapping': 40,
  'AWS::Lambda::Function': 12,
  'AWS::Lambda::Permission': 10,
  'AWS::Logs::LogGroup': 6,
  'AWS::S3::Bucket': 25,
  'AWS::SNS::Topic': 12,
  'AWS::SQS::Queue': 70,
};
const OTHER_SECONDS = 3;

/**
 * An estimate of the seconds to create a template, if each resource begins as soon as its dependencies are done. `nestedOf` has
 * the template of a nested stack.
 */
export function creationSeconds(
  { Resources = {} }: Template,
  nestedOf: (properties: unknown) => Template | undefined,
): number {
  const ends = new Map<string, number>();
  const endOf = (id: string): number => {
    const known = ends.get(id);
    if (known !== undefined) return known;
    const resource = Resources[id];
    if (!resource) return 0;
    // Not part of a cycle, which CloudFormation would reject.
    ends.set(id, 0);
    const before = [...[resource.DependsOn ?? []].flat(), ...referred(resource.Properties)].map(endOf);
    const nested = resource.Type === 'AWS::CloudFormation::Stack' ? nestedOf(resource.Properties) : undefined;
    const own = (SECONDS[resource.Type] ?? OTHER_SECONDS) + (nested ? creationSeconds(nested, nestedOf) : 0);
    const end = Math.max(0, ...before) + own;
    ends.set(id, end);
    return end;
  };
  return Math.max(0, ...Object.keys(Resources).map(endOf));
}

/** The logical IDs that a value refers to. */
export function referred(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    if (key === 'Ref') return [String(each)];
    if (key === 'Fn::GetAtt') return [String([each].flat()[0])];
    return referred(each);
  });
}
