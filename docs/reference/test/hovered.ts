// `hover.test.ts` opens this file with another text, so that it has the settings of this project.
export {}
