/** The version of the program, written into it by the build. */
declare const __VERSION__: string;
