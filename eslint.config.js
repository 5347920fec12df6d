import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { files: ["treecore/viewer/js/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/js/*.js"], languageOptions: { globals: globals.node } },
];
