// What the theme leaves unsaid to those who hear the pages or come by keyboard.
for (const title of document.querySelectorAll("p.caption[role=heading]")) title.ariaLevel = "2";
const menu = document.querySelector("aside.sidebar-drawer");
if (menu) menu.ariaLabel = "Pages";
const contents = document.querySelector("aside.toc-drawer");
if (contents) contents.ariaLabel = "On this page";
for (const program of document.querySelectorAll("pre")) program.tabIndex = 0; // it may have to be scrolled
