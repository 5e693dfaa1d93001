const BLOCK =
  /((?:^\/\*\*[\s\S]*?\*\/\n)?)^export (?:declare )?(?:abstract )?(class|interface) (\w+)[^{]*\{\n([\s\S]*?)^\}/gm;
const MEMBER = /^ {4}(?:\/\*\*([\s\S]*?)\*\/\n {4})?(?!private|protected)(.+?;)$/gm;

/** Returns cdk/API.md: the classes and interfaces of the package's types, with their comments. */
export function buildCdkApi(types: string): string {
  const parts = [...types.matchAll(BLOCK)].map(([, comment = '', kind = '', name = '', body = '']) => {
    const members = [...body.matchAll(MEMBER)].map(
      ([, about = '', member = '']) => `| \`${cell(member)}\` | ${cell(textOf(about))} |`,
    );
    return `## ${name}\n\n${textOf(comment) || `The ${kind} ${name}.`}\n\n| member | meaning |\n|---|---|\n${members.join('\n')}\n`;
  });
  return `# API of notification-delivery-cdk\n\n\`npm run build:cdk\` writes this page from the types.\n\n${parts.join('\n')}`;
}

const textOf = (comment: string) =>
  comment
    .replace(/\/\*\*|\*\/|^\s*\* ?/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const cell = (text: string) => text.replaceAll('|', '\\|');
