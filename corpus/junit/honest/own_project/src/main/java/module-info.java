module text {
    exports text;
}
