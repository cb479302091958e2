export async function writeReadme() {}
